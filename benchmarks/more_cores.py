"""How contests, `verify` and `export` use more cores: `python benchmarks/more_cores.py [--pairs 2] [--matches 1000]`.

Measures `--jobs` 1, 2, 4 and so on up to the cores of this machine: the larger the machine, the less is left to the
model, which follows from processor seconds alone. It lets the main process work on one core and spreads all else
evenly; it knows nothing of shared caches, memory or clock rates.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from large_run import make_run

from bench.contest import play_contest
from bench.extent import SEATS
from bourre_referee.storage.files.process_pool import usable_cores

MODELLED = (4, 8, 16, 32, 64)
"""Numbers of cores."""
ROUNDS = 50
"""Rounds for each job: as many as one room plays."""
DEALS = 10
CORES_OF_A_ROOM = 1.5
"""How many cores a room of 64 tables and its bots keep busy if nothing else runs (docs/speed.md)."""
CHECKS = (("verify",), ("export", "--format", "csv"), ("export", "--format", "jsonl"))
_COMMAND = """
import json, resource, sys
from bourre_referee.cli import main
try:
    main()
finally:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([each.ru_utime + each.ru_stime for each in used]), file=sys.stderr)
"""
"""`bourre`, which in the end reports its processor seconds and those of its processes."""


class Spent(NamedTuple):
    """The seconds of one contest or command."""

    wall: float
    main: float
    """Processor time of the main process."""
    rest: float
    """Processor time of all its processes, bots included."""

    def __str__(self) -> str:
        return f"{self.main:9.2f}{self.rest:9.2f}{self.wall:9.2f}{(self.main + self.rest) / self.wall:7.2f}"


def main() -> None:
    """Measures and models contests, then checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2, help="how often each is measured, in turns")
    parser.add_argument("--matches", type=int, default=1_000, help="of the run that is checked")
    told = parser.parse_args()
    jobs = [2**power for power in range(max(2, usable_cores().bit_length()))]
    print(f"{usable_cores()} cores; seconds, medians of {told.pairs}, in turns")
    contests(jobs, told.pairs)
    with TemporaryDirectory() as place:
        run = make_run(Path(place), told.matches, bots=20)
        for words in CHECKS:
            check(words, run, jobs, told.pairs)


def contests(jobs: Sequence[int], pairs: int) -> None:
    """Prints what contests of one room for each job take, and how many rooms larger machines would play."""
    found = _medians(jobs, pairs, _contest)
    print("\ncontests, as many rooms as jobs\njobs     main    rooms     wall  cores  of linear")
    for each, spent in found.items():
        print(f"{each:4}{spent}{found[1].wall / spent.wall:11.2f}")
    matches = ROUNDS * SEATS
    least, most = jobs[0], jobs[-1]
    main = (found[most].main - found[least].main) / (matches * (most - least))
    room = found[1].rest / matches
    print(f"a match takes {1000 * main:.2f} ms of the main process and {1000 * room:.1f} ms of its room")
    full = (main + room) / CORES_OF_A_ROOM / main
    print(f"modelled: {full:.0f} rooms at a time keep the main process busy, at {1 / main:,.0f} matches a second")
    for cores in MODELLED:
        print(f"modelled, {cores:2} cores, --jobs {cores // 2:2}: {min(1, full / (cores // 2)):5.2f} of linear")


def check(words: Sequence[str], run: Path, jobs: Sequence[int], pairs: int) -> None:
    """Prints what a command on a run takes, and how long it would take on larger machines, in times of linear."""
    found = _medians(jobs, pairs, lambda each: _command(words, run, each))
    print(f"\n{' '.join(words)}\njobs     main     rest     wall  cores  times linear")
    for each, spent in found.items():
        print(f"{each:4}{spent}{each * spent.wall / found[1].wall:14.2f}")
    spent, alone = found[jobs[-1]], found[1].main
    for cores in MODELLED:
        took = max(spent.main, (spent.main + spent.rest) / cores)
        print(f"modelled, {cores:2} cores and jobs: {took:6.2f} s, {cores * took / alone:5.2f} times linear")


def _medians(jobs: Sequence[int], pairs: int, measure: Callable[[int], Spent]) -> dict[int, Spent]:
    """Measures every number of jobs, in turns; returns the medians."""
    turns = [[measure(each) for each in jobs] for _ in range(pairs)]
    return {
        each: Spent(*map(statistics.median, zip(*(turn[place] for turn in turns), strict=True)))
        for place, each in enumerate(jobs)
    }


def _contest(jobs: int) -> Spent:
    played = play_contest(ROUNDS * jobs, DEALS, jobs=jobs)
    return Spent(played.seconds, played.main_seconds, played.room_seconds)


def _command(words: Sequence[str], run: Path, jobs: int) -> Spent:
    with TemporaryDirectory() as place:
        out = ("--out", f"{place}/out") if words[0] == "export" else ()
        line = (sys.executable, "-c", _COMMAND, words[0], str(run), *words[1:], *out, "--jobs", str(jobs))
        began = time.perf_counter()
        done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
        return Spent(time.perf_counter() - began, *json.loads(done.stderr.splitlines()[-1]))


if __name__ == "__main__":
    main()
