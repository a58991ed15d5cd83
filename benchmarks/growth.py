"""How cost grows with a run: `python benchmarks/growth.py [RUN_FOLDER ...]`, in processor time.

Without folders, runs of 1,000 and 10,000 matches are made. Commands run with an empty cache folder of their own;
`standings`, `stats` and the pages use it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import process_time

from large_run import make_run

from bourre_referee.derived.result_cache import ResultCache, open_result_cache
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.run.run import Run
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.data.growing_run import GrowingRun, read_all
from bourre_referee.web.data.rating_histories import RatingHistories
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.record_sums import CachedMoments
from bourre_referee.web.render import Pages

MADE = ((1_000, 20), (10_000, 40))
COMMANDS = ("standings", "standings", "verify", "stats", "stats")
"""The second time, a command finds what the first has kept."""
TAKEN = 20
"""How many matches are taken in for a median."""


def command_seconds(word: str, folder: Path, cache: Path) -> float:
    """Processor seconds of `bourre WORD FOLDER`, in a process of its own."""
    before = getrusage(RUSAGE_CHILDREN)
    line = [sys.executable, "-m", "bourre_referee", word, str(folder)]
    subprocess.run(line, env=os.environ | {"XDG_CACHE_HOME": str(cache)}, stdout=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of this work."""
    began = process_time()
    work()
    return process_time() - began


def first_page(folder: Path, cache: ResultCache) -> None:
    """The first page of a server that has just started; what it does in the background is not waited for."""
    state = CachedRun(folder, start=lambda _: None, cache=cache).current()
    event = CachedMoments(start=lambda _: None).event(state)
    Pages(ServerLinks()).event("home.html", state.data, event.data, event.tag)


def take_milliseconds(folder: Path) -> float:
    """The median of the time to find one new match, read it, and take it in with its live rating."""
    run = Run.open(folder)
    growing = read_all(run, {})
    growing.histories = RatingHistories((), growing.bots)
    matches = run.new_matches(growing.numbers[:-TAKEN]) or []
    known = growing.numbers[:-1]
    found = statistics.median(seconds(lambda: run.new_matches(known)) for _ in range(TAKEN))
    return 1000 * (found + statistics.median(_take_seconds(growing, matches)))


def _take_seconds(growing: GrowingRun, matches: Sequence[ReadMatch]) -> Iterator[float]:
    for match in matches:
        began = process_time()
        growing.take([match], {})
        yield process_time() - began


def measure(folder: Path) -> None:
    """Prints the figures of one run."""
    run = Run.open(folder)
    print(f"{run.manifest.matches} matches, {len(run.bots)} bots: {folder.parent.name}", flush=True)
    with TemporaryDirectory() as place:
        for number, word in enumerate(COMMANDS):
            again = ", kept" if word in COMMANDS[:number] else ", nothing kept"
            kept = again if COMMANDS.count(word) > 1 else ""
            print(f"  {word + kept:28} {command_seconds(word, folder, Path(place)):8.2f} s", flush=True)
        cache = open_result_cache({"XDG_CACHE_HOME": place})
        print(f"  {'first page after a restart':28} {seconds(lambda: first_page(folder, cache)):8.2f} s", flush=True)
    print(f"  {'one match taken in':28} {take_milliseconds(folder):8.2f} ms", flush=True)


def main() -> None:
    """Measures the given runs, or makes some."""
    if folders := [Path(word) for word in sys.argv[1:]]:
        for folder in folders:
            measure(folder)
        return
    with TemporaryDirectory() as place:
        for matches, bots in MADE:
            folder = Path(place, str(matches))
            folder.mkdir()
            measure(make_run(folder, matches, bots))


if __name__ == "__main__":
    main()
