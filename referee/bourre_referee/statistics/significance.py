"""Which bots differ significantly: a t-test for each pair, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd, sqrt

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, difference_blocks, divide
from bourre_referee.statistics.student_distribution import t_p_value

LEVEL = 0.05
"""The family-wise error rate: how many contests of equal bots may have any significant pair."""


def significant_pairs(results: Sequence[MatchResult], bots: Sequence[str]) -> frozenset[frozenset[str]]:
    """Returns the pairs of bots that differ significantly, in `duplicate` less the luck of the draw.

    The t-test of a pair uses the matches in which both sat; with fewer than two blocks there is no test. Holm's
    correction holds the family-wise error rate at LEVEL, whatever the dependence between the pairs.
    """
    met = difference_blocks(results, adjusted=True)
    tested = [pair for pair in combinations(bots, 2) if len(met.get(pair, ())) > 1]
    p_values = holm([p_value(met[pair]) for pair in tested])
    return frozenset(frozenset(pair) for pair, p in zip(tested, p_values, strict=True) if p < LEVEL)


def p_value(blocks: Sequence[Block]) -> float:
    """Returns the two-sided p-value of the t-test, as in `estimate_per_100`, that the mean difference is 0.

    Chips are won in whole steps, so a few blocks may be alike by accident, as if there were no chance. So the variance
    within one step, 1/12 of its square, is added (Sheppard 1898); the step is the greatest common divisor of all
    blocks. 1 with fewer than two blocks.
    """
    chips, deals, number = sum(block.chips for block in blocks), sum(block.deals for block in blocks), len(blocks)
    if number < 2 or chips == 0:
        return 1.0
    step = gcd(*(block.chips for block in blocks))
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in blocks)
    spread = number * (12 * squares + number * (step * deals) ** 2)
    return t_p_value(sqrt(divide(12 * (chips * deals) ** 2 * (number - 1), spread)), number - 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrects p-values for their number, and keeps their order (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = largest
    return corrected
