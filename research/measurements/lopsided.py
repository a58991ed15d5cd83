"""Measures verdicts of `compare` where losses are rare and large: `python research/measurements/lopsided.py`.

Equal bots: differences are made up, or drawn from real deals with their mean taken off. The table shows how often one
of the two is called better. Its price: real differences are drawn as they are, and the table shows after how many deals
there is a verdict. `before` is the boundary alone, from 50 deals on, `alone` the boundary from 200 deals on, `compare`
is the boundary corrected for skewness, and `sure` bets within a known bound. A last table shows how often what
`compare` prints is wrong: that its verdict after n deals holds for losses in one deal of n / MISSED. `--csv` adds the
tables to files in a folder such as research/results. research/comparing.md has what came out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean

from example_pairs import SEED, example
from looks import bets_after, skewed_after
from playings import LIMIT, MATCH, Block, play_blocks
from rows import add_to_csv, head, line

from bourre_referee.evaluation.compare.comparison_contest import LOOKS, most_difference
from bourre_referee.evaluation.compare.evidence import Evidence, verdict_of
from bourre_referee.evaluation.compare.skewed_boundary import FEWEST_DEALS, MISSED
from bourre_referee.luck import COEFFICIENT
from bourre_referee.statistics.stopping_boundary import Verdict

LOOK = 50
FINE = 1000
"""Units per chip, so that differences are whole numbers."""
TABLES = (
    ("tight", "counter", "loose", "follower", "pot_aware"),
    ("drawer", "lowest", "random_bot"),
)
"""Every two bots of a table are a pair."""
CLAIMS = ((60, 12), (90, 18), (100, 20), (200, 40), (1000, 40), (1000, 60), (1000, 100), (1000, 200))
"""Budgets, and the losses in one deal of how many that the claim covers just so."""
WAYS = ("before", "alone", "compare", "sure")


@dataclass(frozen=True, slots=True)
class Pool:
    """Differences to draw from: those that the boundary judges, and those that have a bound."""

    name: str
    adjusted: Sequence[int]
    raw: Sequence[int]
    bound: int
    seats: int = 1

    @property
    def difference(self) -> float:
        """The mean difference in chips per 100 deals."""
        return 100 * fmean(self.adjusted) / FINE / self.seats

    def centred(self) -> Pool:
        """Returns these differences less their mean, so that the bots are equal."""
        centres = [round(fmean(chips)) for chips in (self.adjusted, self.raw)]
        adjusted, raw = ([x - at for x in chips] for chips, at in zip((self.adjusted, self.raw), centres, strict=True))
        return Pool(self.name, adjusted, raw, self.bound + abs(centres[1]), self.seats)


@dataclass(frozen=True, slots=True)
class Ended:
    """How one comparison ended."""

    verdict: Verdict
    deals: int


def lottery(one_in: int) -> Pool:
    """Makes up differences of equal bots: the first wins 1 chip, and in one deal of these loses all again."""
    chips = [FINE] * (one_in - 1) + [-(one_in - 1) * FINE]
    return Pool(f"a loss in 1 deal of {one_in}", chips, chips, (one_in - 1) * FINE)


def windfalls() -> Pool:
    """Makes up differences: one deal in forty is worth twenty standard deviations of the others."""
    dice = Random(3)
    chips = [round(FINE * (dice.gauss(0, 1) + 20 * (deal % 40 == 0))) for deal in range(2000)]
    return Pool("a windfall in 1 deal of 40", chips, chips, max(map(abs, chips))).centred()


def real_pools(names: Sequence[str], deals: int) -> Iterator[Pool]:
    """Plays these bots at one table, and yields the differences of every two."""
    bots = [example(name) for name in names]
    matches = range(1, deals + 1, MATCH)
    blocks = [block for at in matches for block in play_blocks(bots, LIMIT, SEED, range(at, at + MATCH))]
    bound = FINE * len(bots) * most_difference(LIMIT, len(bots))
    for one, other in combinations(range(len(bots)), 2):
        adjusted, raw = (differences(blocks, one, other, coefficient) for coefficient in (COEFFICIENT, 0.0))
        yield Pool(f"{names[one]}, {names[other]}", adjusted, raw, bound, len(bots))


def differences(blocks: Sequence[Block], one: int, other: int, coefficient: float) -> list[int]:
    """Returns one - other in each of these deals, less this share of the luck."""
    return [round(FINE * block.adjusted(one, other, coefficient)) for block in blocks]


def evidence_of(way: str, pool: Pool, dice: Random, deals: int) -> Iterator[Evidence]:
    """Yields what is known at each look at differences drawn from this pool."""
    if way == "sure":
        return bets_after(dice.choices(pool.raw, k=deals), LOOK, pool.bound)
    drawn = dice.choices(pool.adjusted, k=deals)
    if way == "before":
        return skewed_after(drawn, LOOK, deals, fewest=0, hall=False)
    return skewed_after(drawn, LOOK, deals, hall=way == "compare")


def ends(way: str, pool: Pool, runs: int, deals: int) -> list[Ended]:
    """Simulates comparisons of at most this many deals."""
    dice = Random(1)
    return [end_of(evidence_of(way, pool, dice, deals), deals) for _ in range(runs)]


def end_of(looks: Iterator[Evidence], deals: int) -> Ended:
    """Returns the first verdict."""
    said = ((verdict_of(evidence, None), evidence.blocks) for evidence in looks)
    found = next((one for one in said if one[0] is not Verdict.UNDECIDED), (Verdict.UNDECIDED, deals))
    return Ended(*found)


def wrong_row(pool: Pool, asked: argparse.Namespace) -> list[str]:
    """Returns how often one of two equal bots is called better."""
    shares = (fmean(one.verdict is not Verdict.UNDECIDED for one in ends(way, pool, *asked.size)) for way in WAYS)
    return [pool.name, *(f"{100 * share:.1f} %" for share in shares)]


def price_row(pool: Pool, asked: argparse.Namespace) -> list[str]:
    """Returns the difference, and for each way the mean number of deals and how many comparisons had a verdict."""
    return [pool.name, f"{pool.difference:+.1f}", *(_price(ends(way, pool, *asked.size)) for way in WAYS)]


def _price(found: Sequence[Ended]) -> str:
    decided = fmean(one.verdict is not Verdict.UNDECIDED for one in found)
    return f"{fmean(one.deals for one in found):.0f}, {100 * decided:.0f} %"


def claim_row(one_in: int, budget: int, runs: int) -> list[str]:
    """Returns how often a verdict is wrong that claims to hold for losses in one deal of these."""
    pool, dice, look = lottery(one_in), Random(1), max(1, min(LOOK, budget // LOOKS))
    fewest, once = min(FEWEST_DEALS, budget), budget <= FEWEST_DEALS
    drawn = (dice.choices(pool.adjusted, k=budget) for _ in range(runs))
    found = [end_of(skewed_after(row, look, budget, fewest, looks_once=once), budget) for row in drawn]
    wrong = fmean(one.verdict is not Verdict.UNDECIDED and one.deals // MISSED >= one_in for one in found)
    return [str(budget), pool.name, f"{100 * wrong:.1f} %"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=1000, help="the budget of a comparison")
    parser.add_argument("--pool", type=int, default=600, help="real deals to draw from")
    parser.add_argument("--csv", type=Path, help="add the tables to files in this folder")
    asked = parser.parse_args()
    asked.size = asked.runs, asked.deals
    made_up = [*map(lottery, (20, 40, 100)), windfalls()]
    real = [pool for names in TABLES for pool in real_pools(names, asked.pool)]
    equal = [*made_up, *(pool.centred() for pool in real)]
    print_table(("equal bots", *WAYS), (wrong_row(pool, asked) for pool in equal), asked.csv, "lopsided.csv")
    columns = ("pair", "difference", *WAYS)
    print_table(columns, (price_row(pool, asked) for pool in real), asked.csv, "lopsided_price.csv")
    claims = (claim_row(one_in, budget, asked.runs) for budget, one_in in CLAIMS)
    print_table(("budget", "differences", "wrong"), claims, asked.csv, "lopsided_claims.csv")


def print_table(columns: Sequence[str], rows: Iterator[list[str]], folder: Path | None, name: str) -> None:
    """Prints a table, a row at a time."""
    print(head(columns), flush=True)
    for row in rows:
        print(line(row), flush=True)
        if folder:
            add_to_csv(folder / name, columns, [row])


if __name__ == "__main__":
    main()
