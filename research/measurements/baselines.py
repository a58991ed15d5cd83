"""Tests what would beat the draw correction: a baseline that learns each bot, and corrects the first hands too.

    .venv/bin/python research/measurements/baselines.py [--deals 150]

Bots are learned from some deals, shares fixed by others, and gains measured on others again; research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median, variance

from fields import FIELDS, Field
from imagined import deal_luck
from learned import Model, learn
from least_squares import fit
from playings import LIMIT, play_block
from rows import head, line

from bourre.rules.deck import DuplicateChance
from bourre_referee.luck import COEFFICIENT

BOTH, DRAW, LEARNED = ("draw", "learned"), ("draw",), ("learned",)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two bots over one deal in all its seatings, in chips: what they won, and their luck by each baseline."""

    chips: float
    draw: float
    learned: float

    def lucks(self, kinds: Sequence[str]) -> list[float]:
        """Returns its luck by these baselines."""
        return [self.draw if kind == "draw" else self.learned for kind in kinds]


Differences = list[list[Difference]]
"""Differences by pair, then by deal."""


def measure_pairs(field: Field, models: Sequence[Model], deals: int, use: str) -> Differences:
    """Measures all pairs of a table over the deals of one use."""
    seed = field.seed(use)
    pairs = list(combinations(range(len(field.bots)), 2))
    found: Differences = [[] for _ in pairs]
    for deal in range(1, deals + 1):
        block = play_block(field.bots, LIMIT, seed, deal)
        luck = deal_luck(models, DuplicateChance(seed), seed, deal)
        for pair, (one, other) in zip(found, pairs, strict=True):
            chips, draw = block.chips[one] - block.chips[other], block.luck[one] - block.luck[other]
            pair.append(Difference(chips, draw, luck[one] - luck[other]))
    return found


def shares(trained: Differences, kinds: Sequence[str]) -> list[float]:
    """Returns the share of each luck to subtract: least squares over all pairs of a table."""
    known = [difference for pair in trained for difference in pair]
    return fit([difference.lucks(kinds) for difference in known], [difference.chips for difference in known])


def gain(pair: Sequence[Difference], kinds: Sequence[str], taken: Sequence[float]) -> float:
    """Returns the factor by which the variance decreases."""
    left = [
        difference.chips - sum(share * luck for share, luck in zip(taken, difference.lucks(kinds), strict=True))
        for difference in pair
    ]
    return variance([difference.chips for difference in pair]) / variance(left)


def table_row(field: Field, most: int) -> str:
    """Returns a table's row: the median gains over duplicate without correction."""
    deals = field.share(most, slowly=3)
    models = learn(field.bots, deals, field.seed("learning"))
    trained = measure_pairs(field, models, deals, "training")
    evaluated = measure_pairs(field, models, deals, "evaluation")
    cells = [f"{len(field.bots)}: {field}", f"{median(gain(pair, DRAW, [COEFFICIENT]) for pair in evaluated):.2f}"]
    for kinds in (DRAW, LEARNED, BOTH):
        taken = shares(trained, kinds)
        gains = [gain(pair, kinds, taken) for pair in evaluated]
        cells += [f"{median(gains):.2f} ({' and '.join(f'{share:.2f}' for share in taken)})"]
    return line(cells)


def main(arguments: Sequence[str]) -> None:
    """Compares the baselines on every table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=150, help="deals of each table to learn, train and evaluate")
    options = parser.parse_args(arguments)
    print(head(("table", f"draw at {COEFFICIENT}", "draw", "learned", "draw and learned")))
    for field in FIELDS:
        print(table_row(field, options.deals), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
