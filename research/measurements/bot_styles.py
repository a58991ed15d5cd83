"""Measures the gain of the baseline `bot styles` on the deals of the evaluation, in matches of 60.

.venv/bin/python research/measurements/bot_styles.py [--deals 120]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, log
from statistics import fmean, median, variance

from fields import FIELDS, Field
from playings import LIMIT, Block, play_matches
from rows import head, line

from bourre.rules.pot import UNIT
from bourre_referee.luck import BASELINE, COEFFICIENT


def gains(field: Field, deals: int) -> Iterator[list[float]]:
    """Yields for each pair how many times fewer deals than settled ones: raw, by the oldest and by the new baseline."""
    seed = field.seed("evaluation")
    old, new = (play_matches(field.bots, LIMIT, seed, deals, baseline) for baseline in (None, BASELINE))
    for one, other in combinations(range(len(field.bots)), 2):
        settled = settled_variance(new, one, other)
        kinds = ((new, 0.0), (old, COEFFICIENT), (new, COEFFICIENT))
        yield [settled / variance([block.adjusted(one, other, share) for block in of]) for of, share in kinds]


def settled_variance(blocks: Sequence[Block], one: int, other: int) -> float:
    """Returns the variance of as many settled deals as a block has seatings, each of which is one."""
    playings = [playing.units for block in blocks for playing in block.playings]
    return variance([(units[one] - units[other]) / UNIT for units in playings]) * len(blocks[0].playings)


def main(arguments: Sequence[str]) -> None:
    """Prints the median gains of each table; of all pairs also the least and the geometric mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=120, help="deals of each table; half of them if a bot is slow")
    deals = parser.parse_args(arguments).deals
    print(head(("table", "raw", "fixed policy", "bot styles")))
    found: list[list[float]] = []
    for field in FIELDS:
        of_field = list(gains(field, field.share(deals, slowly=2)))
        found += of_field
        print(line([str(field), *(f"{median(kind):.2f}" for kind in zip(*of_field, strict=True))]), flush=True)
    kinds = list(zip(*found, strict=True))
    print(line(["all: median", *(f"{median(kind):.2f}" for kind in kinds)]))
    print(line(["all: geometric mean", *(f"{exp(fmean(map(log, kind))):.2f}" for kind in kinds)]))
    print(line(["all: least", *(f"{min(kind):.2f}" for kind in kinds)]))
    worst = min(new / raw for raw, _, new in found)
    print(f"The least gain of any pair over raw duplicate is {worst:.2f}.")


if __name__ == "__main__":
    main(sys.argv[1:])
