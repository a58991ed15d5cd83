"""Compares `monte_carlo` in step with the example: `.venv/bin/python research/measurements/in_step.py --deals 12`.

In random positions both judge each choice by many samples. If they sample alike, their means differ by chance alone:
then the root mean square of the differences, in standard errors, is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.sampling import sample_deals
from bourre_lab.batch_deals import Asked
from bourre_lab.batch_deals.card_sets import NONE, sorted_cards
from examples.monte_carlo import MonteCarlo as Example
from research.champion.monte_carlo import MonteCarlo
from tests.batch_deals.rule_matches import SameDeals

SAMPLES: Final = 600
SEATS: Final = (3, 5, 7)
HAND: Final = 5
Means = NDArray[np.float64]
KINDS: Final = ("coming in", "plays, no suit shown to lack", "plays, a suit shown to lack")


class Compared(NamedTuple):
    """A position, as both judge its choices."""

    kind: str
    errors: list[float]
    """How far apart the means are, in standard errors, for each choice whose samples differ."""
    same_best: bool


def positions(deals: int, rng: np.random.Generator) -> Iterator[Compared]:
    """Yields every position of random deals in which there is a choice."""
    for seats in SEATS:
        same = SameDeals(HouseRules.preset("limit"), seats, deals, rng)
        for _ in same.steps():
            for row in same.open_rows():
                match = same.matches[row]
                view = match.view(match.to_act)
                if same.deals.asked[row] == Asked.ENTER:
                    yield compare_entry(same, row, view, rng)
                elif len(view.legal) > 1:
                    yield compare_cards(same, row, view, rng)


def compare_entry(same: SameDeals, row: int, view: View, rng: np.random.Generator) -> Compared:
    """Judges coming in by both."""
    example = Example()
    sampled = sample_deals(view, SAMPLES, Random(int(rng.integers(1 << 30))))
    chips = np.array([[example.after_draws(deal).play_out()[view.seat]] for deal in sampled])
    means = MonteCarlo(SAMPLES).entry_sums(same.deals, np.array([row]), rng) / SAMPLES
    return Compared(KINDS[0], errors(chips, means), bool((chips.mean() > 0) == (means[0] > 0)))


def compare_cards(same: SameDeals, row: int, view: View, rng: np.random.Generator) -> Compared:
    """Judges the legal cards by both."""
    rows, shown = np.array([row]), (same.deals.state.barred_cards[row] != NONE).any()
    sampled = sample_deals(view, SAMPLES, Random(int(rng.integers(1 << 30))))
    chips = np.array([[deal.play_out(card=card)[view.seat] for card in view.legal] for deal in sampled])
    choices = sorted_cards(same.deals.legal_cards(rows), HAND)
    means = MonteCarlo(SAMPLES).card_sums(same.deals, rows, choices, rng)[0, : len(view.legal)] / SAMPLES
    return Compared(KINDS[2 if shown else 1], errors(chips, means), chips.mean(axis=0).argmax() == means.argmax())


def errors(chips: Means, means: Means) -> list[float]:
    """Returns the differences from the means of the columns, in standard errors; without those that never vary."""
    spread = chips.std(axis=0) * np.sqrt(2 / len(chips))
    varies = spread > 0
    found: list[float] = ((chips.mean(axis=0) - means)[varies] / spread[varies]).tolist()
    return found


def main(arguments: Sequence[str]) -> None:
    """Prints a line for each kind of position."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=12, help="deals at each number of seats")
    found = list(positions(parser.parse_args(arguments).deals, np.random.default_rng(1)))
    for kind in KINDS:
        of_kind = [one for one in found if one.kind == kind]
        apart = np.array([error for one in of_kind for error in one.errors])
        best, size = np.mean([one.same_best for one in of_kind]), np.sqrt((apart**2).mean())
        print(f"{kind}: {len(of_kind)} positions, {size:.2f} standard errors, same best {best:.0%}")


if __name__ == "__main__":
    main(sys.argv[1:])
