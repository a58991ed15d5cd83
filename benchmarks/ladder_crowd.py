"""Serves a ladder to a crowd of remote bots: `python benchmarks/ladder_crowd.py [--bots 200] [--playing 200] [--tls]`.

All bots connect; those beyond `--playing` rest. There are no staff bots, so nobody is on probation. After so many
rooms, or half of the `--minutes`, the ladder is stopped and served again. The measurement fails if a bot is not back by
itself within 30 s, if one begins four games more than another while all are here (nobody makes up for an absence), if
memory grows, or after a fault or a void room.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from remote_clients import Client, certificate, clients, enter

from bourre_referee.ladder.host.administration import Administration, new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotArrived, BotLeft, BotPaused, RoomFinished, RoomOverran, RoomVoided
from bourre_referee.runner.invitations import renew_token
from bourre_referee.storage.run.run import Run

TERMS = """
[ladder]
name = "crowd"
[table]
seats = 5
deals = {deals}
[rules]
preset = "limit"
[clock]
decision_ms = 5000
reconnect_ms = 60000
[isolation]
level = "none"
[listen]
address = "localhost:{port}"
{tls}
[epoch]
rooms = {epoch_rooms}
[quotas]
bots = 2000
"""


BACK_S = 30.0
MOST_AHEAD = 4
"""How many more games than another one a bot may begin while both are here: from two behind it to two ahead."""
MOST_GROWTH = 1.3


def main() -> None:
    """Prints what the crowd did, and fails if any of it went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--playing", type=int)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=0.0, help="instead of --rooms")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        sitting = Sitting(options.rooms, options.minutes * 30)
        sys.exit(measure(Path(name), options.bots, options.playing or options.bots, sitting, tls=options.tls))


@dataclass(frozen=True, slots=True)
class Sitting:
    """How long the ladder is served without a break: for so many rooms, or seconds if these are not 0."""

    rooms: int
    seconds: float

    def play(self, watched: Watched, share: float) -> None:
        """Waits for a share of it."""
        began, before = monotonic(), watched.finished
        if self.seconds:
            watched.until(lambda: monotonic() - began >= share * self.seconds)
        else:
            watched.until(lambda: watched.finished - before >= share * self.rooms)


def measure(place: Path, bots: int, playing: int, sitting: Sitting, *, tls: bool) -> str | None:
    """Serves it in two sittings; returns what went wrong."""
    files = certificate(place) if tls else None
    keys = f'tls_cert = "{files.cert}"\ntls_key = "{files.key}"' if files else ""
    ladder, address = make_ladder(place, keys)
    names = [f"bot{number:04}" for number in range(bots)]
    tokens = [enter_bot(ladder, bot, rests=number >= playing) for number, bot in enumerate(names)]
    watched, most_ahead = Watched(ladder), 0
    with clients(files.cert if files else None, place) as processes:
        for number in (1, 2):
            with serving(ladder) as process:
                began = monotonic()
                if number == 1:
                    enter_all(processes, address, tokens)
                watched.until(lambda: len(watched.here) == bots)
                came_s = monotonic() - began
                watched.begin()
                print(f"sitting {number}: {bots} bots are here after {came_s:.0f} s", flush=True)
                began, before = monotonic(), watched.finished
                sitting.play(watched, 0.5)
                memory = memory_mib(process.pid)
                sitting.play(watched, 0.5)
                grew = memory_mib(process.pid) / memory
                took, at_once = monotonic() - began, watched.most_at_once
                print(f"  {watched.finished - before} rooms in {took:.0f} s, {at_once} bots at tables at once at most")
                print(f"  memory of the processes that serve: {memory:.0f} MiB, then {grew:.2f} times that", flush=True)
                most_ahead = max(most_ahead, watched.most_ahead)
                process.terminate()
            watched.look()
            watched.here.clear()  # a ladder that is not served does not log that they left
    faults, longest = faults_of(ladder)
    print(f"{faults} faults, {watched.void} void rooms; the longest time charged for a decision: {longest:.0f} ms")
    print(f"a bot began {most_ahead} games more than another in a sitting; {watched.overran} rooms were too long")
    wrong = {
        "honest bots were charged, or rooms void": faults or watched.void,
        "bots came back too late": came_s > BACK_S,
        "a bot is too far ahead": playing == bots and not watched.overran and most_ahead > MOST_AHEAD,
        "the memory grows": grew > MOST_GROWTH,
    }
    return "; ".join(words for words, is_so in wrong.items() if is_so) or None


def make_ladder(place: Path, tls: str = "", deals: int = 10, epoch_rooms: int = 100_000) -> tuple[LadderFolder, str]:
    """Returns a ladder, and where its bots connect."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    terms = place / "ladder.toml"
    terms.write_text(TERMS.format(port=port, tls=tls, deals=deals, epoch_rooms=epoch_rooms))
    return new_ladder(place / "ladder", terms), f"localhost:{port}"


def enter_bot(ladder: LadderFolder, bot: str, *, rests: bool) -> str:
    """Adds a bot, and returns its token."""
    add_remote(ladder, Newcomer(bot))
    if rests:
        Administration(ladder).change(BotPaused(bot))
    return renew_token(bot, ladder.tokens)


def enter_all(processes: list[Client], address: str, tokens: list[str]) -> None:
    """Starts all bots."""
    for number, token in enumerate(tokens):
        enter(processes, number, address, token)


@contextmanager
def serving(ladder: LadderFolder) -> Iterator[subprocess.Popen[bytes]]:
    """Serves the ladder until the block's end."""
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path), "--port", "0"]
    process = subprocess.Popen(command, stderr=(ladder.path.parent / "serve.log").open("ab"))
    try:
        yield process
    finally:
        process.wait()


class Watched:
    """What the log has said so far."""

    def __init__(self, ladder: LadderFolder) -> None:
        self.here: set[str] = set()
        self.finished = 0
        self.void = 0
        self.overran = 0
        """The rooms that lasted so long that other bots no longer waited for theirs."""
        self.most_at_once = 0
        self._log = ladder.open_log()
        self._before: dict[str, int] = {}

    def begin(self) -> None:
        """Counts games from here."""
        self._before = self._begun()

    @property
    def most_ahead(self) -> int:
        """How many more games than another one a bot has begun at most since then."""
        since = [games - self._before[bot] for bot, games in self._begun().items()]
        return max(since) - min(since)

    def _begun(self) -> dict[str, int]:
        return {name: bot.games + (bot.room is not None) for name, bot in self._log.state.bots.items()}

    def until(self, holds: Callable[[], bool]) -> None:
        """Reads on until this holds."""
        self.look()
        while not holds():
            sleep(0.05)
            self.look()

    def look(self) -> None:
        """Takes in what is new."""
        for logged in self._log.read_new():
            event = logged.event
            if isinstance(event, BotArrived):
                self.here.add(event.bot)
            elif isinstance(event, BotLeft):
                self.here.discard(event.bot)
            self.finished += isinstance(event, RoomFinished)
            self.void += isinstance(event, RoomVoided)
            self.overran += isinstance(event, RoomOverran)
        at_tables = sum(len(room.line_up) for room in self._log.state.rooms.values())
        self.most_at_once = max(self.most_at_once, at_tables)


def faults_of(ladder: LadderFolder) -> tuple[int, float]:
    """Returns how many faults the bots committed, and the longest time charged for a decision, in milliseconds."""
    faults, longest = 0, 0.0
    for rated in (True, False):
        for match in Run.open(ladder.epoch(1, rated=rated)).new_matches(()) or ():
            faults += sum(seat.faults for seat in match.stored.seats)
            longest = max(longest, *(timing.longest_ms for timing in match.stored.timings))
    return faults, longest


def memory_mib(pid: int) -> float:
    """Returns the memory of a process and its descendants, without what they share."""
    return sum(map(_private_kib, descendants(pid))) / 1024


def descendants(pid: int) -> set[int]:
    """Returns a process and all those that it started."""
    tree = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, tree.splitlines())}
    family = {pid}
    while new := {child for child, parent in parents.items() if parent in family} - family:
        family |= new
    return family


def _private_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended meanwhile
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


if __name__ == "__main__":
    os.environ.pop("BOURRE_TOKEN", None)
    main()
