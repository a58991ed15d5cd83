"""Measures how long a review takes: `bourre review BOT --deals N`, start, practice and all, in processor time.

Run: OPENBLAS_NUM_THREADS=1 .venv/bin/python benchmarks/review_time.py [--bots NAME ...] [--deals N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

from bourre.bot_code.bot_file import find
from bourre.bot_code.example_folders import example_folders

BOTS = ("drawer", "counter", "loose")


def main() -> None:
    """Prints for each bot the decisions judged, and the seconds of processor and wall time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", nargs="+", default=BOTS, help="examples")
    parser.add_argument("--deals", type=int, default=500)
    given = parser.parse_args()
    for bot in given.bots:
        before, begun = getrusage(RUSAGE_CHILDREN), perf_counter()
        words = (sys.executable, "-m", "bourre_referee", "review", find(bot, tuple(example_folders())))
        done = subprocess.run((*words, "--deals", f"{given.deals}", "--json"), capture_output=True, check=True)
        after, wall = getrusage(RUSAGE_CHILDREN), perf_counter() - begun
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        decisions = len(json.loads(done.stdout)["decisions"])
        print(
            f"{bot}: {decisions} decisions of {given.deals} deals, {used:.1f} s of processor time, {wall:.1f} s in all"
        )


if __name__ == "__main__":
    main()
