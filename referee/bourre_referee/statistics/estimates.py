"""Chips per 100 deals, with confidence intervals over blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from bourre_referee.luck import COEFFICIENT, ORDERS
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.block_sums import BlockSums
from bourre_referee.statistics.student_distribution import t_quantile


@dataclass(frozen=True, slots=True)
class Block:
    """Deals that depend on each other, the unit of every interval: a match, or a `duplicate` deal in all seatings."""

    chips: int
    """In parts of a chip; the caller knows how many make one."""
    deals: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of the chips won per 100 deals."""

    chips_per_100: float
    """0 if no deal was played."""
    ci95: tuple[float, float] | None
    """The 95 % confidence interval; None with fewer than two blocks."""
    deals: int


_ROOT_SCALE = 10**12
"""Square roots of whole numbers are taken to 1 / _ROOT_SCALE: chips without a limit overflow floats when squared."""

_MAX_QUOTIENT = 10**300
"""Quotients are cut off here: a pot without a limit may grow until no float holds it."""

CrossTable = tuple[tuple[Estimate | None, ...], ...]
"""What the row's bot has won from the column's; None on the diagonal."""


def add_up(blocks: Iterable[Block]) -> BlockSums:
    """Adds up blocks, which are in schedule order."""
    sums = BlockSums()
    for number, block in enumerate(blocks):
        sums.add(block.chips, block.deals, number)
    return sums


def estimate_per_100(blocks: Iterable[Block] | BlockSums, parts: int = 1) -> Estimate:
    """Estimates all chips over all deals, with the interval of a ratio estimator (Cochran, Sampling Techniques, 6.4).

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
"""Adjusted blocks divide each part of a chip into so many again."""


def adjusted_blocks_of(match: MatchResult, seat: int, against: int | None = None) -> Iterator[Block]:
    """Yields the same less COEFFICIENT times the luck of the draw, in parts ADJUSTED_PARTS times as small.

    This adds no bias, because the mean of the luck is 0. Only format `duplicate` knows it.
    """
    for raw, block in zip(blocks_of(match, seat, against), match.blocks, strict=True):
        luck = block.luck[seat] - (0 if against is None else block.luck[against])
        yield Block(ADJUSTED_PARTS * raw.chips - round(10 * COEFFICIENT) * luck, raw.deals)


def divide(number: int, by: int) -> float:
    """Divides two whole numbers; the quotient is cut off where floats end."""
    return min(max(number, -_MAX_QUOTIENT * by), _MAX_QUOTIENT * by) / by
