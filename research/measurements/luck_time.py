"""Measures the processor time that the luck of a match takes by `bot styles 1` and 2.

    .venv/bin/python research/measurements/luck_time.py [--deals 60]

The five-bot table of the calibration plays a school, then two matches of this many deals. research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from fields import FIELDS
from playings import LIMIT, play_boards

from bourre_referee.luck import SCHOOL_DEALS, Schools
from bourre_referee.luck.style_luck import luck_after, style_luck

FIVE = FIELDS[4]


def seconds(work: Callable[[], object]) -> float:
    """Returns the processor seconds of this work."""
    began = process_time()
    work()
    return process_time() - began


def main(arguments: Sequence[str]) -> None:
    """Prints the seconds of each match, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60, help="deals of a match")
    deals = parser.parse_args(arguments).deals
    seed, names = FIVE.seed("evaluation"), [str(number) for number in range(len(FIVE.bots))]
    schools = Schools()
    schools.add(names, [once.board for once in play_boards(FIVE.bots, LIMIT, seed, range(1, SCHOOL_DEALS + 1))], LIMIT)
    for match in range(2):
        first = SCHOOL_DEALS + 1 + match * deals
        boards = [once.board for once in play_boards(FIVE.bots, LIMIT, seed, range(first, first + deals))]
        before = seconds(partial(style_luck, boards, LIMIT, seed))
        after = seconds(partial(luck_after, schools.lessons(names), boards, LIMIT, seed))
        print(f"bot styles 1: {before:.2f} s, 2: {after:.2f} s, ratio {after / before:.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
