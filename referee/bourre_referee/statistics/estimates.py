"""Estimates chips per 100 deals, with confidence intervals over blocks, from sums in whole numbers."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import atan, cos, erfc, gcd, isqrt, log1p, pi, sin, sqrt, tan
from statistics import NormalDist

from bourre_referee.luck import COEFFICIENT, ORDERS
from bourre_referee.model.results import MatchResult

PILOT = 20
"""How many nonzero differences set the scale of the boundary (`stopping_boundary`)."""


@dataclass(slots=True)
class BlockSums:
    """Sums over blocks, added one at a time. Only the pilot depends on their order."""

    blocks: int = 0
    chips: int = 0
    deals: int = 0
    chips_squared: int = 0
    chips_by_deals: int = 0
    deals_squared: int = 0
    step: int = 0
    """The greatest common divisor of the chips of all blocks."""
    pilot: list[tuple[int, int]] = field(default_factory=list)
    """The first `PILOT` blocks with chips, in schedule order: the number of the match, and the absolute chips."""

    def add(self, chips: int, deals: int, number: int) -> None:
        """Adds a block of the match with this number in the schedule."""
        self.blocks += 1
        self.chips += chips
        self.deals += deals
        self.chips_squared += chips * chips
        self.chips_by_deals += chips * deals
        self.deals_squared += deals * deals
        self.step = gcd(self.step, chips)
        if chips and (len(self.pilot) < PILOT or number < self.pilot[-1][0]):
            insort(self.pilot, (number, abs(chips)), key=_number_of)
            del self.pilot[PILOT:]

    @property
    def spread(self) -> int:
        """The sum of squares of (a block's chips * all deals - all chips * the block's deals)."""
        chips, deals = self.chips, self.deals
        return deals**2 * self.chips_squared - 2 * chips * deals * self.chips_by_deals + chips**2 * self.deals_squared

    def turn(self) -> BlockSums:
        """Returns the sums of the same blocks with the opposite sign of all chips."""
        return BlockSums(
            self.blocks,
            -self.chips,
            self.deals,
            self.chips_squared,
            -self.chips_by_deals,
            self.deals_squared,
            self.step,
            self.pilot,
        )


def _number_of(entry: tuple[int, int]) -> int:
    return entry[0]


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """Returns the quantile of Student's t to six digits, for a probability of at least 0.5.

    With few degrees of freedom, it inverts the finite series by bisection. With many, it uses the Cornish-Fisher
    expansion.
    """
    if freedom > 100:
        return _cornish_fisher(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _central_mass(angle, freedom) < 2 * probability - 1 else (low, angle)
    return sqrt(freedom) * tan(low)


def t_p_value(t: float, freedom: int) -> float:
    """Returns the two-sided p-value for t >= 0, to a relative error of 1e-6 or an absolute one of 1e-14.

    With few degrees of freedom, it uses the finite series. With many, it uses Hill's expansion (Communications of the
    ACM 13, 1970, no. 395).
    """
    if freedom > 100:
        return erfc(_equivalent_normal(t, freedom) / sqrt(2))
    return max(0.0, 1 - _central_mass(atan(t / sqrt(freedom)), freedom))


def _central_mass(angle: float, freedom: int) -> float:
    """Returns the probability between -x and x = sqrt(freedom) * tan(angle) (Abramowitz and Stegun 26.7.3, 4)."""
    odd = freedom % 2
    term, square = cos(angle) if odd else 1.0, cos(angle) ** 2
    total = 0.0
    for n in range(2 + odd, freedom + 1, 2):
        total += term
        term *= square * (n - 1) / n
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def _cornish_fisher(z: float, freedom: int) -> float:
    """Returns the quantile of Student's t from the normal quantile (Abramowitz and Stegun 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _equivalent_normal(t: float, freedom: int) -> float:
    """Returns the standard normal deviate with the same two-sided p-value as `t` (Hill)."""
    a = freedom - 0.5
    b = 48 * a**2
    z = sqrt(a * log1p(t**2 / freedom))
    return z + (z**3 + 3 * z) / b - (4 * z**7 + 33 * z**5 + 240 * z**3 + 855 * z) / (10 * b * (b + 0.8 * z**4 + 100))


@dataclass(frozen=True, slots=True)
class Block:
    """Deals that depend on each other, the unit of every interval: a match, or a `duplicate` deal in all seatings."""

    chips: int
    """In parts of a chip. The caller knows how many parts make one chip."""
    deals: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of the chips won per 100 deals."""

    chips_per_100: float
    """0 if no deal was played."""
    ci95: tuple[float, float] | None
    """The 95 % confidence interval. None with fewer than two blocks."""
    deals: int


_ROOT_SCALE = 10**12
"""Square roots of whole numbers are exact to 1 / _ROOT_SCALE. Chips without a limit overflow floats when squared."""

_MAX_QUOTIENT = 10**300
"""Quotients are limited to this, because a pot without a limit may grow until no float holds it."""

CrossTable = tuple[tuple[Estimate | None, ...], ...]
"""The chips that the row's bot has won from the column's. None on the diagonal."""


def add_up(blocks: Iterable[Block]) -> BlockSums:
    """Adds up blocks, which are in schedule order."""
    sums = BlockSums()
    for number, block in enumerate(blocks):
        sums.add(block.chips, block.deals, number)
    return sums


def estimate_per_100(blocks: Iterable[Block] | BlockSums, parts: int = 1) -> Estimate:
    """Estimates chips per 100 deals, with the interval of a ratio estimator (Cochran, Sampling Techniques, 6.4).

    A chip has `parts` parts. Student's t has one degree of freedom less than there are blocks. The order of the blocks
    does not matter, because sums are exact.
    """
    sums = blocks if isinstance(blocks, BlockSums) else add_up(blocks)
    if sums.deals == 0:
        return Estimate(0.0, None, 0)
    rate = divide(100 * sums.chips, sums.deals * parts)
    if sums.blocks < 2:
        return Estimate(rate, None, sums.deals)
    root = isqrt(sums.spread * sums.blocks * _ROOT_SCALE**2 // (sums.blocks - 1))
    standard_error = divide(100 * root, sums.deals**2 * _ROOT_SCALE * parts)
    half_width = t_quantile(0.975, sums.blocks - 1) * standard_error
    return Estimate(rate, (rate - half_width, rate + half_width), sums.deals)


def blocks_of(match: MatchResult, seat: int, against: int | None = None) -> Iterator[Block]:
    """Yields the blocks of one seat, or of its difference to another, in parts of a chip (`match.unit`)."""
    if not match.blocks:
        other = 0 if against is None else match.seats[against].chips
        yield Block(match.seats[seat].chips - other, match.deals)
    for block in match.blocks:
        other = 0 if against is None else block.chips[against]
        yield Block(block.chips[seat] - other, len(match.seats))


ADJUSTED_PARTS = 10 * ORDERS
"""How many parts each part of a chip has in adjusted blocks."""


def adjusted_blocks_of(match: MatchResult, seat: int, against: int | None = None) -> Iterator[Block]:
    """Yields the same blocks less COEFFICIENT times the luck of the draw, in parts ADJUSTED_PARTS times as small.

    This adds no bias, because the mean of the luck is 0. Only format `duplicate` knows the luck.
    """
    for raw, block in zip(blocks_of(match, seat, against), match.blocks, strict=True):
        luck = block.luck_of(seat) - (0 if against is None else block.luck_of(against))
        yield Block(ADJUSTED_PARTS * raw.chips - round(10 * COEFFICIENT) * luck, raw.deals)


def divide(number: int, by: int) -> float:
    """Divides two whole numbers. The quotient is limited to the range of floats."""
    return min(max(number, -_MAX_QUOTIENT * by), _MAX_QUOTIENT * by) / by
