"""Measures a contest with 1 to N rooms at a time, in turns: `python benchmarks/jobs.py [--tables 64] [--pairs 4]`.

The gain is the ratio to one room's decisions per second, pair by pair; figures are medians.
"""

from __future__ import annotations

import argparse
import statistics

from bench.contest import play_contest
from bourre_referee.storage.files.process_pool import usable_cores


def main() -> None:
    """Prints a line for each number of rooms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=64, help="tables of a room, played at once")
    parser.add_argument("--rounds", type=int, default=50, help="rounds of five matches")
    parser.add_argument("--deals", type=int, default=10, help="deals of a match")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--most", type=int, default=2 * usable_cores(), help="the most rooms at a time")
    told = parser.parse_args()
    rates: dict[int, list[float]] = {jobs: [] for jobs in range(1, told.most + 1)}
    for _ in range(told.pairs):
        for jobs, found in rates.items():
            found.append(play_contest(told.rounds, told.deals, told.tables, jobs).decisions_per_second)
    for jobs, found in rates.items():
        gain = statistics.median(more / one for more, one in zip(found, rates[1], strict=True))
        print(f"{jobs:3} rooms at a time {statistics.median(found):9,.0f} decisions/s {gain:6.2f}")


if __name__ == "__main__":
    main()
