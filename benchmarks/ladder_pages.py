"""Times a large ladder's pages while it plays: `python benchmarks/ladder_pages.py [--rooms 100000] [--bots 200]`.

The ladder's past is made without bots, played by the rules and stored as its host does. Then `bourre ladder start`
plays on with hosted bots, while a visitor asks for pages, without validators, up to ten times a second.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import httpx
from large_run import play_match

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import epoch_terms
from bourre_referee.ladder.host.open_epochs import OpenEpochs, open_epochs
from bourre_referee.ladder.log.events import BotArrived, RoomFinished, RoomPaired
from bourre_referee.ladder.log.shared_log import SharedLog

EXAMPLES = Path(__file__).parents[1] / "examples"
SEATS = 5
TERMS = f"""
[ladder]
name = "large"
[table]
seats = {SEATS}
deals = 2
[rules]
preset = "limit"
[isolation]
level = "none"
[epoch]
rooms = 5000
"""
PLAYING = ("tight", "loose", "counter", "follower", "pot_aware", "random_bot")
EPOCH = 5_000
PATHS = ("/", "/", "/", "/bots/bot-0001", "/epochs", "/api/board", "/log")
"""What the visitor asks for, in turns; the board most often."""
PAUSE_S = 0.1


def main() -> None:
    """Prints how long the ladder takes to start, and its pages to answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=100_000)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    told = parser.parse_args()
    with TemporaryDirectory() as name:
        began = perf_counter()
        ladder = make_ladder(Path(name), told.rooms, told.bots)
        print(f"{told.rooms:,} rooms of {told.bots} bots, made in {perf_counter() - began:.0f} s", flush=True)
        with serving(ladder) as url, httpx.Client(base_url=url, trust_env=False, timeout=600) as client:
            measure(ladder.open_log(), client, told.seconds)


def make_ladder(place: Path, rooms: int, bots: int) -> LadderFolder:
    """Returns a ladder that has played so many rooms, and some bots that can play on."""
    (place / "ladder.toml").write_text(TERMS)
    ladder = new_ladder(place / "ladder", place / "ladder.toml")
    names = [f"bot-{number:04}" for number in range(bots - len(PLAYING))]
    for bot in names:
        add_remote(ladder, Newcomer(bot))
    log, rng = ladder.open_log(), Random(1)
    with log.appending() as tail:
        for bot in names:
            tail.append(BotArrived(bot))
    settings = ladder.settings()
    with open_epochs(ladder, settings.contest.name, epoch_terms(settings)) as epochs:
        for first in range(0, rooms, EPOCH):
            with log.appending() as tail:
                tail.append(epochs.opened(tail.state.epoch + 1))
            line_ups = [tuple(rng.sample(names, SEATS)) for _ in range(min(EPOCH, rooms - first))]
            play_rooms(log, epochs, line_ups)
            with log.appending() as tail:
                tail.append(epochs.close(tail.state.seasons.epochs[-1]))
    for bot in PLAYING:
        file = f"{bot}.py"
        add_hosted(ladder, Newcomer(bot), ["python", file], [file], EXAMPLES)
    return ladder


def play_rooms(log: SharedLog, epochs: OpenEpochs, line_ups: list[tuple[str, ...]]) -> None:
    """Plays these rooms, stores their matches, and logs that they are over."""
    with log.appending() as tail:
        for line_up in line_ups:
            room = tail.state.rooms_paired + 1
            tail.append(RoomPaired(room, line_up, rated=True))
            tail.append(RoomFinished(room, games=1))
        epoch = tail.state.seasons.epochs[-1]
        epochs.list_rooms(epoch)
        run = epochs.at(epoch.place(epoch.first_room))
        for number in range(1, len(line_ups) + 1):
            run.take(play_match(run.spec(number)))


@contextmanager
def serving(ladder: LadderFolder) -> Iterator[str]:
    """Serves the ladder until the block's end, and yields the address of its pages."""
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if found := re.search(r"http://\S+", line):
                yield found[0]
                break
    finally:
        process.terminate()
        process.wait()


def measure(log: SharedLog, client: httpx.Client, seconds: float) -> None:
    """Waits until the ladder plays on, then asks for pages for so many seconds."""
    began = perf_counter()
    log.read()
    before = log.state.rooms_paired
    while log.state.rooms_paired == before:
        sleep(PAUSE_S)
        log.read()
    print(f"  the first room was called {perf_counter() - began:.1f} s after the pages opened", flush=True)
    began = perf_counter()
    while client.get("/").status_code == HTTPStatus.SERVICE_UNAVAILABLE:  # nobody has shown a board yet
        sleep(PAUSE_S)
    client.get("/bots/bot-0001").raise_for_status()
    print(f"  the first board and the first bot were there {perf_counter() - began:.1f} s later", flush=True)
    times: dict[str, list[float]] = {path: [] for path in PATHS}
    asked, until, rooms = 0, perf_counter() + seconds, log.state.rooms_paired
    while perf_counter() < until:
        path = PATHS[asked % len(PATHS)]
        began = perf_counter()
        client.get(path).raise_for_status()
        times[path].append(1000 * (perf_counter() - began))
        asked += 1
        sleep(PAUSE_S)
    log.read()
    print(f"  {log.state.rooms_paired - rooms} rooms were called meanwhile")
    for path, found in times.items():
        median, late = statistics.median(found), statistics.quantiles(found, n=100, method="inclusive")[-1]
        print(f"  {path:18} median {median:6.1f} ms, 99 % {late:6.1f} ms, longest {max(found):6.1f} ms ({len(found)})")


if __name__ == "__main__":
    main()
