"""Measures how often `compare --margin` is wrong, and its bias: `python research/measurements/closeness.py`.

Differences of real deals, less luck, are drawn again and again with replacement. Those that are not 0 are moved, so
that their mean is what it is to be: bots that are equal, closer than the margin, just as far apart, or further.
`--csv` adds the table to a file such as research/results/closeness.csv. research/comparing.md has what came out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

from example_pairs import differences, example, otherwise
from looks import skewed_after
from rows import add_to_csv, head, line

from bourre.bot import Bot
from bourre.rules.visibility import View
from bourre_referee.evaluation.compare.evidence import verdict_of
from bourre_referee.statistics.estimates import Block, estimate_per_100
from bourre_referee.statistics.stopping_boundary import Verdict

BUDGET = 1000
"""The budget that sets the scale of the boundary."""
MARGIN = 0.2
"""The margin in standard deviations of a difference, small enough for the budget."""
TRUTHS = (0.0, 0.5, 0.8, 1.0, 2.0)
"""True differences, in margins."""
HEADINGS = (
    *("pair", "margin", "truth"),
    *("better", "worse", "closer", "undecided", "deals"),
    *("off by", "if better", "if closer", "whenever one looks", "one look"),
)
FINE = 1000
"""Units per chip, so that blocks are whole numbers."""


def seldom(policy: type[Bot]) -> type[Bot]:
    """Returns the same bot, except that it declares the opposite once in fifty hands."""

    class Seldom(policy):  # type: ignore[misc, valid-type]  # a class chosen at run time
        def declare(self, view: View) -> bool:
            return bool(super().declare(view)) != (view.rng.random() < 0.02)

    return Seldom


def windfalls(deals: int) -> list[float]:
    """Makes up differences: one deal in forty is worth twenty standard deviations of the others."""
    dice = Random(3)
    return [dice.gauss(0, 1) + 20 * (deal % 40 == 0) for deal in range(deals)]


@dataclass(frozen=True, slots=True)
class Run:
    """One comparison up to its stop."""

    verdict: Verdict
    deals: int
    error: float
    """The mean at the stop less the true mean."""
    always_holds: bool
    fixed_holds: bool
    """Whether the final intervals contain the true mean: the one valid at all times, and the fixed-size one."""


def run(drawn: Sequence[int], truth: float, margin: float, look: int) -> Run:
    """Checks after every `look` differences, and stops as `compare` does."""
    looks = list(skewed_after(drawn, look, BUDGET))
    judged = ((known, verdict_of(known, margin)) for known in looks)
    known, said = next((one for one in judged if one[1] is not Verdict.UNDECIDED), (looks[-1], Verdict.UNDECIDED))
    fixed = estimate_per_100([Block(difference, 1) for difference in drawn[: known.blocks]], 100).ci95
    always = known.interval()
    return Run(
        verdict=said,
        deals=known.blocks,
        error=known.mean - truth,
        always_holds=always is None or always[0] <= truth <= always[1],
        fixed_holds=fixed is not None and fixed[0] <= truth <= fixed[1],
    )


def runs_of(pool: Sequence[float], truth: float, margin: float, asked: argparse.Namespace) -> list[Run]:
    """Simulates comparisons of bots that differ by `truth`; in every other one the differences are reversed."""
    dice = Random(1)
    drawn_from = [shift(pool, truth), shift([-difference for difference in pool], truth)]
    found = []
    for number in range(asked.runs):
        parts = drawn_from[number % 2]
        found.append(run(dice.choices(parts, k=asked.deals), fmean(parts), margin, asked.look))
    return found


def shift(pool: Sequence[float], mean: float) -> list[int]:
    """Shifts the differences to this mean, in the units of `mean`; those that are 0 stay 0."""
    different = sum(difference != 0 for difference in pool)
    step = (mean * len(pool) / FINE - sum(pool)) / different
    return [round(FINE * (difference + step)) if difference else 0 for difference in pool]


def cells(found: Sequence[Run], margin: float) -> list[str]:
    """Returns one row: the verdicts, the deals needed, and the bias of the figures."""
    said = (fmean(one.verdict is what for one in found) for what in Verdict)
    better = [one for one in found if one.verdict is Verdict.FIRST]
    closer = [one for one in found if one.verdict is Verdict.EQUAL]
    holds = (fmean(one.always_holds for one in found), fmean(one.fixed_holds for one in found))
    return [
        *(f"{100 * share:.1f} %" for share in said),
        f"{fmean(one.deals for one in found):,.0f}",
        *(_off_by(some, margin) for some in (found, better, closer)),
        *(f"{100 * share:.1f} %" for share in holds),
    ]


def _off_by(found: Sequence[Run], margin: float) -> str:
    """Returns the mean error in margins, or "-" for fewer than twenty comparisons."""
    return f"{fmean(one.error for one in found) / margin:+.2f}" if len(found) >= 20 else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=2000, help="the budget of a run")
    parser.add_argument("--look", type=int, default=50, help="check after every this many deals")
    parser.add_argument("--pool", type=int, default=2000, help="real deals to draw from")
    parser.add_argument("--csv", type=Path, help="add the table to this file")
    asked = parser.parse_args()
    company = example("pot_aware")
    tables = {
        "random, other dice": (example("random_bot"), otherwise(example("random_bot")), company),
        "tight, counter": (example("tight"), example("counter"), company),
        "lowest, loose": (example("lowest"), example("loose"), company),
        "tight, nearly tight": (example("tight"), seldom(example("tight"))),
    }
    print(head(HEADINGS))
    for names, bots in tables.items():
        print_rows(names, differences(bots, asked.pool), len(bots), asked)
    print_rows("made up: rare windfalls", windfalls(asked.pool), 1, asked)


def print_rows(names: str, pool: Sequence[float], seats: int, asked: argparse.Namespace) -> None:
    """Prints a row for each true difference."""
    margin = FINE * MARGIN * pstdev(pool)
    for truth in TRUTHS:
        found = runs_of(pool, truth * margin, margin, asked)
        row = [names, f"{100 * margin / FINE / seats:.0f}", f"{truth:g}", *cells(found, margin)]
        print(line(row), flush=True)
        if asked.csv:
            add_to_csv(asked.csv, HEADINGS, [row])


if __name__ == "__main__":
    main()
