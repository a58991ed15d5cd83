"""Which bots differ significantly: a t-test for each pair, corrected for their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import sqrt

from bourre_referee.statistics.block_sums import BlockSums
from bourre_referee.statistics.estimates import Block, add_up, divide
from bourre_referee.statistics.student_distribution import t_p_value
from bourre_referee.statistics.tally import Tally

LEVEL = 0.05
"""The family-wise error rate: how many contests of equal bots may have any significant pair."""


def significant_pairs(tally: Tally, bots: Sequence[str]) -> frozenset[frozenset[str]]:
    """Returns the pairs of bots that differ significantly, in `duplicate` less the luck of the draw.

    The t-test of a pair uses the matches in which both sat; with fewer than two blocks there is no test. Holm's
    correction holds the family-wise error rate at LEVEL, whatever the dependence between the pairs.
    """
    met = {pair: tally.difference(*pair, adjusted=True) for pair in combinations(bots, 2)}
    tested = [pair for pair, sums in met.items() if sums.blocks > 1]
    p_values = holm([p_value(met[pair]) for pair in tested])
    return frozenset(frozenset(pair) for pair, p in zip(tested, p_values, strict=True) if p < LEVEL)


def p_value(blocks: Iterable[Block] | BlockSums) -> float:
    """Returns the two-sided p-value of the t-test, as in `estimate_per_100`, that the mean difference is 0.

    Chips are won in whole steps, so a few blocks may be alike by accident, as if there were no chance. So the variance
    within one step, 1/12 of its square, is added (Sheppard 1898); the step is the greatest common divisor of all
    blocks. 1 with fewer than two blocks.
    """
    sums = blocks if isinstance(blocks, BlockSums) else add_up(blocks)
    number = sums.blocks
    if number < 2 or sums.chips == 0:
        return 1.0
    spread = number * (12 * sums.spread + number * (sums.step * sums.deals) ** 2)
    return t_p_value(sqrt(divide(12 * (sums.chips * sums.deals) ** 2 * (number - 1), spread)), number - 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrects p-values for their number, and keeps their order (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = largest
    return corrected
