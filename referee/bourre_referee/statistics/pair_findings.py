"""The findings about collusion in a pair of bots: the flow of chips and, if the champion judged, partner bias."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt

from bourre_referee.statistics.estimates import Block, BlockSums, add_up, divide, t_p_value
from bourre_referee.statistics.match_sums import Tally

LEVEL = 0.05
"""The family-wise error rate: the share of contests of equal bots that may have a significant pair."""


def significant_pairs(tally: Tally, bots: Sequence[str]) -> frozenset[frozenset[str]]:
    """Returns the pairs of bots that differ significantly, in `duplicate` less the luck of the draw.

    The t-test of a pair uses the matches of both bots. With fewer than two blocks there is no test. Holm's correction
    keeps the family-wise error rate at LEVEL, whatever the dependence between the pairs.
    """
    met = {pair: tally.difference(*pair, adjusted=True) for pair in combinations(bots, 2)}
    tested = [pair for pair, sums in met.items() if sums.blocks > 1]
    p_values = holm([p_value(met[pair]) for pair in tested])
    return frozenset(frozenset(pair) for pair, p in zip(tested, p_values, strict=True) if p < LEVEL)


def p_value(blocks: Iterable[Block] | BlockSums) -> float:
    """Returns the two-sided p-value of the t-test, as in `estimate_per_100`, that the mean difference is 0.

    Chips are won in whole steps, so a few blocks may be equal by accident and hide their variance. The test therefore
    adds the variance within one step, 1/12 of its square (Sheppard 1898). The step is the greatest common divisor of
    all blocks. With fewer than two blocks, the p-value is 1.
    """
    sums = blocks if isinstance(blocks, BlockSums) else add_up(blocks)
    number = sums.blocks
    if number < 2 or sums.chips == 0:
        return 1.0
    spread = number * (12 * sums.spread + number * (sums.step * sums.deals) ** 2)
    return t_p_value(sqrt(divide(12 * (sums.chips * sums.deals) ** 2 * (number - 1), spread)), number - 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrects p-values for their number and keeps their order (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = largest
    return corrected


@dataclass(frozen=True, slots=True)
class Favour:
    """The difference between a bot's conduct towards one bot and towards third bots in the same role."""

    effect: float
    p: float
    """A bound on the p-value of the hypothesis that the effect is at most the allowance."""


@dataclass(frozen=True, slots=True)
class Favours:
    """The bias of a bot's decisions towards another bot. None where there is nothing to compare."""

    gifts: Favour | None
    """The extra cost of its decisions, as the champion judges, while the other may win the pot: chips per 100 deals."""
    comes: Favour | None
    """How much more often it comes in while the other may win the pot: a difference of shares."""
    passes: Favour | None
    """How much more often it passes if the other is in: a difference of shares."""
    cards: Favour | None
    """How much lower its cards are on the other's tricks. 1 would be the lowest legal card instead of the highest."""

    @property
    def tests(self) -> tuple[Favour | None, ...]:
        """All four, in this order."""
        return self.gifts, self.comes, self.passes, self.cards


@dataclass(frozen=True, slots=True)
class PairFlow:
    """The chips that one bot has paid to another, and whether they exceed the expected flow."""

    payer: str
    taker: str
    deals: int
    """How many deals both bots played."""
    per_100: float
    """Chips paid per 100 of these deals."""
    expected_per_100: float | None
    """Estimated from tables without the taker. None if there are none, or if nothing is paid there."""
    p: float | None
    """The p-value of the hypothesis that the flow is at most `ALLOWANCE` times the expected one."""
    p_holm: float | None = None
    """The smallest p of the pair's tests, corrected for all tests of all pairs (Holm)."""
    favours: Favours | None = None
    """None if the champion did not judge."""

    @property
    def suspicious(self) -> bool:
        """Whether the pair should be examined. At most one honest contest in twenty has a suspicious pair."""
        return self.p_holm is not None and self.p_holm < LEVEL

    @property
    def p_values(self) -> tuple[float | None, ...]:
        """The p-values of the flow, gifts, entries, passes and cards, in this order. None for a test without data."""
        favours = self.favours.tests if self.favours else ()
        return self.p, *(None if favour is None else favour.p for favour in favours)

    @property
    def smallest_p(self) -> float | None:
        """The smallest of these p-values."""
        return min((p for p in self.p_values if p is not None), default=None)


def in_order(pairs: Iterable[PairFlow]) -> list[PairFlow]:
    """Sets `p_holm`, corrected for all tests of these pairs, and sorts by the smallest p-value."""
    found = sorted(pairs, key=_order)
    tests = [(number, p) for number, pair in enumerate(found) for p in pair.p_values if p is not None]
    corrected: dict[int, float] = {}
    for (number, _), p in zip(tests, holm([p for _, p in tests]), strict=True):
        corrected[number] = min(p, corrected.get(number, p))
    return [replace(pair, p_holm=corrected.get(number)) for number, pair in enumerate(found)]


def _order(pair: PairFlow) -> tuple[float, float, str, str]:
    p = 2.0 if pair.smallest_p is None else pair.smallest_p
    return p, -pair.per_100 / (pair.expected_per_100 or 1), pair.payer, pair.taker
