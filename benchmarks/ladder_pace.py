"""Measures what bad bots cost honest ones: `python benchmarks/ladder_pace.py [--minutes 30] [--blocks 3]`.

Twelve honest remote bots of six owners play alone, and beside a slow bot (0.85 s a decision), one that comes and goes,
one that asks for a challenge again and again, and one that is mostly away; in turn, on one host, each time on a ladder
of its own. It prints how many seats in rated rooms the honest bots had an hour, and fails if less than 80 % are left.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ladder_crowd import Watched, enter_all, make_ladder, serving
from remote_clients import clients

from bourre import Bot, Card, View
from bourre.connection.client import play
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomFinished, RoomPaired
from bourre_referee.runner.invitations import renew_token
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.owner_acts import OwnerActs, ladder_keys
from bourre_referee.web.page_lookup import RefusedRequest

HONEST = tuple(f"honest{number:02}" for number in range(12))
LEAST = 0.8
DIAL_SECONDS = 600.0


class Slow(Bot):
    """Thinks for 0.85 of the second that it has."""

    def declare(self, view: View) -> bool:
        """Plays every hand."""
        time.sleep(0.85)
        return True

    def draw(self, view: View) -> list[Card]:
        """Keeps its cards."""
        time.sleep(0.85)
        return []

    def play(self, view: View) -> Card:
        """Plays its first legal card."""
        time.sleep(0.85)
        return view.legal[0]


def main() -> None:
    """Prints both settings, block after block, and their ratio."""
    if len(sys.argv) == 4:
        asyncio.run(misbehave(*sys.argv[1:]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30, help="in each setting")
    parser.add_argument("--blocks", type=int, default=3)
    options = parser.parse_args()
    seats, seconds = {False: 0, True: 0}, 60 * options.minutes / options.blocks
    for block in range(1, options.blocks + 1):
        for bad in (False, True):
            with TemporaryDirectory() as name:
                found = measure(Path(name), seconds, bad=bad)
            seats[bad] += found
            setting = "beside bad bots" if bad else "alone"
            print(f"block {block}, {setting}: {3600 * found / seconds:,.0f} seats an hour", flush=True)
    left = seats[True] / max(1, seats[False])
    print(f"{left:.1%} of the seats are left")
    sys.exit(left < LEAST)


async def misbehave(role: str, address: str, token: str) -> None:
    """Plays slowly, or comes for a moment again and again."""
    if role == "slow":
        await play(Slow, address, token, DIAL_SECONDS)
    stays, pauses = {"flapping": (0.3, 0.3), "absent": (1.0, 8.0)}[role]
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(play(Bot, address, token, DIAL_SECONDS), stays)
        await asyncio.sleep(pauses)


def measure(place: Path, seconds: float, *, bad: bool) -> int:
    """Plays for so long, and returns how many seats in finished rated rooms the honest bots had."""
    ladder, address = make_ladder(place, deals=5)
    tokens = [enter(ladder, bot, f"owner {number // 2}") for number, bot in enumerate(HONEST)]
    if bad:
        tokens.append(enter(ladder, "challenging", "challenging"))
    roles = {role: enter(ladder, role, role) for role in ("slow", "flapping", "absent")} if bad else {}
    watched = Watched(ladder)
    with clients(logs=place) as processes, serving(ladder) as server:
        try:
            enter_all(processes, address, tokens)
            watched.until(lambda: watched.here.issuperset(HONEST))
            with bad_bots(roles, address, place):
                ends, before = time.monotonic() + seconds, seats_of(ladder)
                acts = OwnerActs(LadderReader(ladder), ladder_keys(ladder)) if bad else None
                while time.monotonic() < ends:
                    if acts:
                        ask(acts)
                    time.sleep(0.15)
                return seats_of(ladder) - before
        finally:
            server.terminate()


def enter(ladder: LadderFolder, bot: str, owner: str) -> str:
    """Adds a bot, and returns its token."""
    add_remote(ladder, Newcomer(bot, owner))
    return renew_token(bot, ladder.tokens)


def ask(acts: OwnerActs) -> None:
    """Asks for a challenge of honest bots, whose owners agree to all."""
    with suppress(RefusedRequest):
        acts.challenge("challenging", ["challenging", *HONEST[0:8:2]])
        for number in range(4):
            acts.welcome(f"owner {number}", welcome=True)


@contextmanager
def bad_bots(roles: dict[str, str], address: str, place: Path) -> Iterator[None]:
    """Runs each of these in a process of its own."""
    started = [
        subprocess.Popen([sys.executable, __file__, role, address, token], stderr=(place / f"{role}.log").open("wb"))
        for role, token in roles.items()
    ]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def seats_of(ladder: LadderFolder) -> int:
    """Counts the seats that honest bots had in rated rooms that are finished."""
    rated: dict[int, tuple[str, ...]] = {}
    seats = 0
    for logged in ladder.open_log().read_new():
        event = logged.event
        if isinstance(event, RoomPaired) and event.rated:
            rated[event.room] = event.line_up
        elif isinstance(event, RoomFinished):
            seats += sum(bot in HONEST for bot in rated.get(event.room, ()))
    return seats


if __name__ == "__main__":
    main()
