"""Chips per 100 deals, and how sure one may be of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import atan, cos, erfc, gcd, isqrt, log1p, pi, sin, sqrt, tan
from statistics import NormalDist

from bourre_referee.model.luck import COEFFICIENT, ORDERS
from bourre_referee.model.results import MatchResult


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


def student_chance(t: float, freedom: int) -> float:
    """How often Student's t is at least so far from 0, to either side; `t` from 0 up, to 1e-6 of itself or 1e-14.

    Few degrees of freedom: the finite series. Many: Hill's expansion (Communications of the ACM 13, 1970, no. 395).
    """
    if freedom > 100:
        return erfc(_as_normal(t, freedom) / sqrt(2))
    return max(0.0, 1 - _within(atan(t / sqrt(freedom)), freedom))


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


def _as_normal(t: float, freedom: int) -> float:
    """How far from 0 a normal quantity is as seldom as Student's t is at `t`."""
    a = freedom - 0.5
    b = 48 * a**2
    z = sqrt(a * log1p(t**2 / freedom))
    return z + (z**3 + 3 * z) / b - (4 * z**7 + 33 * z**5 + 240 * z**3 + 855 * z) / (10 * b * (b + 0.8 * z**4 + 100))


@dataclass(frozen=True, slots=True)
class Block:
    """The unit of every interval: deals that hang together. A match; in `duplicate` one deal in all its seatings."""

    chips: int
    """In parts of a chip, as many as the caller counts in."""
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


def per_100(blocks: Iterable[Block], parts: int = 1) -> Estimate:
    """All chips over all deals, with the interval of a ratio estimator (Cochran, Sampling Techniques, 6.4).

    A chip has `parts` parts. Student's t has one degree of freedom less than there are blocks. The order of the blocks
    does not matter: sums are made in whole numbers.
    """
    known = tuple(blocks)
    chips, deals = sum(block.chips for block in known), sum(block.deals for block in known)
    if deals == 0:
        return Estimate(0.0, None, 0)
    rate = _divided(100 * chips, deals * parts)
    if len(known) < 2:
        return Estimate(rate, None, deals)
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in known)
    root = isqrt(squares * len(known) * _FINE**2 // (len(known) - 1))
    error = _divided(100 * root, deals**2 * _FINE * parts)
    reach = student_t(0.975, len(known) - 1) * error
    return Estimate(rate, (rate - reach, rate + reach), deals)


def chance_of(blocks: Sequence[Block]) -> float:
    """How often equal bots would differ by so much or more: the p-value of the t-test behind `per_100`, two-sided.

    Chips are won in whole steps, so a few blocks may be alike by accident, which looks as if chance played no part. So
    the variance within one step is added, 1/12 of its square (Sheppard 1898); all blocks are multiples of the step.
    1 with fewer than two blocks.
    """
    chips, deals, number = sum(block.chips for block in blocks), sum(block.deals for block in blocks), len(blocks)
    if number < 2 or chips == 0:
        return 1.0
    step = gcd(*(block.chips for block in blocks))
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in blocks)
    spread = number * (12 * squares + number * (step * deals) ** 2)
    return student_chance(sqrt(_divided(12 * (chips * deals) ** 2 * (number - 1), spread)), number - 1)


def blocks_of(match: MatchResult, seat: int, against: int | None = None) -> Iterator[Block]:
    """The blocks of one seat, or of the difference between two, in parts of a chip (`match.unit`)."""
    if not match.blocks:
        less = 0 if against is None else match.seats[against].chips
        yield Block(match.seats[seat].chips - less, match.deals)
    for block in match.blocks:
        less = 0 if against is None else block.chips[against]
        yield Block(block.chips[seat] - less, len(match.seats))


ADJUSTED_PARTS = 10 * ORDERS
"""Into how many parts more a chip is divided once luck is taken off."""


def adjusted_blocks_of(match: MatchResult, seat: int, against: int | None = None) -> Iterator[Block]:
    """Likewise, less the share COEFFICIENT of the luck of the draw, in parts ADJUSTED_PARTS times as small.

    The mean of luck is 0, so that this biases nothing; it is known in format `duplicate` only.
    """
    for raw, block in zip(blocks_of(match, seat, against), match.blocks, strict=True):
        luck = block.luck[seat] - (0 if against is None else block.luck[against])
        yield Block(ADJUSTED_PARTS * raw.chips - round(10 * COEFFICIENT) * luck, raw.deals)


def _divided(number: int, by: int) -> float:
    return min(max(number, -_LARGEST * by), _LARGEST * by) / by


def cross_table(results: Sequence[MatchResult], bots: Sequence[str]) -> CrossTable:
    """For every two bots the difference of their chips, over the matches in which both sat.

    The interval of each pair is for that pair alone.
    """
    met = meetings(results)
    unit = results[0].unit if results else 1
    return tuple(
        tuple(None if row == column else per_100(met.get((row, column), ()), unit) for column in bots) for row in bots
    )


def meetings(results: Iterable[MatchResult], adjusted: bool = False) -> dict[tuple[str, str], list[Block]]:
    """For every two bots, in either order, the blocks of the first less the second, over the matches in which both sat.

    `adjusted`: less the luck of the draw, where that is known, in smaller parts (ADJUSTED_PARTS).
    """
    met: defaultdict[tuple[str, str], list[Block]] = defaultdict(list)
    for match in results:
        between = adjusted_blocks_of if adjusted and match.blocks else blocks_of
        for (one, row), (other, column) in permutations(enumerate(match.seats), 2):
            met[row.bot, column.bot].extend(between(match, one, other))
    return met
