"""Measures how often repeated checking tells equal bots apart: `python research/measurements/early_decisions.py`.

Differences of real deals, less luck, are drawn again and again with replacement, with their mean taken off: so the bots
are equal, and the differences as uneven as real ones. research/comparing.md has what came out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from pathlib import Path
from random import Random

from playings import LIMIT, play_block

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.rules.deck import master_seed
from bourre.rules.visibility import View
from bourre_referee.luck import COEFFICIENT
from bourre_referee.statistics.estimates import PILOT
from bourre_referee.statistics.stopping_boundary import RATIO, boundary

EXAMPLES = Path(__file__).parents[2] / "examples"
SEED = master_seed(20)


@dataclass(frozen=True, slots=True)
class Told:
    """How often two equal bots were told apart."""

    by_mixture: int
    by_fixed: int
    """With 1.96 standard errors as the boundary, from the same block on."""


def example(name: str) -> type[Bot]:
    """Returns the example bot of this name."""
    return load(str(EXAMPLES / f"{name}.py"))


def otherwise(policy: type[Bot]) -> type[Bot]:
    """Returns the same bot with its own random numbers: equal, but not identical."""

    class Otherwise(policy):  # type: ignore[misc, valid-type]  # a class chosen at run time
        def declare(self, view: View) -> bool:
            for _ in range(3):
                view.rng.random()
            return bool(super().declare(view))

    return Otherwise


def differences(bots: Sequence[type[Bot]], deals: int) -> list[float]:
    """Returns first - second in chips, less luck, for each deal in all its seatings."""
    blocks = (play_block(bots, LIMIT, SEED, deal) for deal in range(1, deals + 1))
    return [block.adjusted(0, 1, COEFFICIENT) for block in blocks]


def count_told_apart(pool: Sequence[float], runs: int, deals: int) -> Told:
    """Simulates runs of this many deals each."""
    random = Random(1)
    mean = sum(pool) / len(pool)
    centred = [difference - mean for difference in pool]
    looked = [_reaches_boundaries(random.choices(centred, k=deals)) for _ in range(runs)]
    return Told(sum(mixture for mixture, _ in looked), sum(fixed for _, fixed in looked))


def _reaches_boundaries(run: Sequence[float]) -> tuple[bool, bool]:
    """Whether either boundary was reached at any time after the pilot."""
    scale = RATIO * sum(difference**2 for difference in run[:PILOT]) / PILOT
    sums = zip(accumulate(run), accumulate(difference**2 for difference in run), strict=True)
    after = list(sums)[PILOT - 1 :]
    mixture = any(abs(total) >= boundary(squares, scale) for total, squares in after)
    return mixture, any(abs(total) > 1.96 * sqrt(squares) for total, squares in after)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=1000, help="the budget of a run")
    parser.add_argument("--pool", type=int, default=2000, help="real deals to draw from")
    asked = parser.parse_args()
    random_bot = example("random_bot")
    pairs = {
        "random, random with other dice": (random_bot, otherwise(random_bot)),
        "tight, counter": (example("tight"), example("counter")),
        "lowest, loose": (example("lowest"), example("loose")),
        "follower, drawer": (example("follower"), example("drawer")),
    }
    for names, pair in pairs.items():
        told = count_told_apart(differences([*pair, example("pot_aware")], asked.pool), asked.runs, asked.deals)
        shares = f"{100 * told.by_mixture / asked.runs:.1f} % | {100 * told.by_fixed / asked.runs:.1f} %"
        print(f"| {names} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
