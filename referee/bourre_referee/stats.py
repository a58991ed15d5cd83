"""Chips per 100 deals, and how sure one may be of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import cos, isqrt, pi, sin, sqrt, tan
from statistics import NormalDist

from bourre_referee.results import MatchResult


@dataclass(frozen=True, slots=True)
class Block:
    """The unit of every interval: deals that hang together. In format `session`, a match."""

    chips: int
    deals: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """How fast chips are won."""

    chips_per_100: float
    """For 100 deals; 0 where none was played."""
    ci95: tuple[float, float] | None
    """The 95 % interval; None with fewer than two blocks, which tell nothing about chance."""
    deals: int


_FINE = 10**12
"""Roots of whole numbers are taken to this fineness: chips without a limit outgrow floats when squared."""

_LARGEST = 10**300
"""Numbers end here: a pot that nobody limits may grow until no float holds it."""

CrossTable = tuple[tuple[Estimate | None, ...], ...]
"""A row and a column for each bot: what the row's has won from the column's. None on the diagonal."""


def per_100(blocks: Iterable[Block]) -> Estimate:
    """All chips over all deals, with the interval of a ratio estimator (Cochran, Sampling Techniques, 6.4).

    Student's t has one degree of freedom less than there are blocks. The order of the blocks does not matter: sums
    are made in whole numbers.
    """
    known = tuple(blocks)
    chips, deals = sum(block.chips for block in known), sum(block.deals for block in known)
    if deals == 0:
        return Estimate(0.0, None, 0)
    rate = _divided(100 * chips, deals)
    if len(known) < 2:
        return Estimate(rate, None, deals)
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in known)
    root = isqrt(squares * len(known) * _FINE**2 // (len(known) - 1))
    error = _divided(100 * root, deals**2 * _FINE)
    reach = student_t(0.975, len(known) - 1) * error
    return Estimate(rate, (rate - reach, rate + reach), deals)


def _divided(number: int, by: int) -> float:
    return min(max(number, -_LARGEST * by), _LARGEST * by) / by


def cross_table(results: Iterable[MatchResult], bots: Sequence[str]) -> CrossTable:
    """For every two bots the difference of their chips, over the matches in which both sat."""
    met: defaultdict[tuple[str, str], list[Block]] = defaultdict(list)
    for match in results:
        for one, other in permutations(match.seats, 2):
            met[one.bot, other.bot].append(Block(one.chips - other.chips, match.deals))
    return tuple(
        tuple(None if row == column else per_100(met.get((row, column), ())) for column in bots) for row in bots
    )


@cache
def student_t(probability: float, freedom: int) -> float:
    """The quantile of Student's t, for a probability from 0.5 up and 1 or more degrees of freedom, to six digits.

    Many degrees: Fisher and Cornish's expansion. Few: the finite series, inverted by bisection.
    """
    if freedom > 100:
        return _expanded(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom) < 2 * probability - 1 else (low, angle)
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """The mass of Student's t between -x and x, x = sqrt(freedom) * tan(angle) (Abramowitz and Stegun 26.7.3, 4)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for n in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (n - 1) / n
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def _expanded(z: float, freedom: int) -> float:
    """The quantile of Student's t from that of the normal distribution (Abramowitz and Stegun 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
