"""Chips per 100 deals, with confidence intervals over blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isqrt

from bourre_referee.model.luck import COEFFICIENT, ORDERS
from bourre_referee.model.results import MatchResult
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


def estimate_per_100(blocks: Iterable[Block], parts: int = 1) -> Estimate:
    """Estimates all chips over all deals, with the interval of a ratio estimator (Cochran, Sampling Techniques, 6.4).

    A chip has `parts` parts. Student's t has one degree of freedom less than there are blocks. The order of the blocks
    does not matter, because sums are exact.
    """
    known = tuple(blocks)
    chips, deals = sum(block.chips for block in known), sum(block.deals for block in known)
    if deals == 0:
        return Estimate(0.0, None, 0)
    rate = divide(100 * chips, deals * parts)
    if len(known) < 2:
        return Estimate(rate, None, deals)
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in known)
    root = isqrt(squares * len(known) * _ROOT_SCALE**2 // (len(known) - 1))
    standard_error = divide(100 * root, deals**2 * _ROOT_SCALE * parts)
    half_width = t_quantile(0.975, len(known) - 1) * standard_error
    return Estimate(rate, (rate - half_width, rate + half_width), deals)


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


def cross_table(results: Sequence[MatchResult], bots: Sequence[str]) -> CrossTable:
    """Estimates for every two bots the difference of their chips, over the matches in which both sat.

    The interval of each pair is for that pair alone.
    """
    met = difference_blocks(results)
    unit = results[0].unit if results else 1
    return tuple(
        tuple(None if row == column else estimate_per_100(met.get((row, column), ()), unit) for column in bots)
        for row in bots
    )


def difference_blocks(results: Iterable[MatchResult], adjusted: bool = False) -> dict[tuple[str, str], list[Block]]:
    """Collects for every ordered pair the blocks of the first bot less the second, where both sat.

    `adjusted` takes off the luck of the draw where it is known; the blocks are then in smaller parts (ADJUSTED_PARTS).
    """
    met: defaultdict[tuple[str, str], list[Block]] = defaultdict(list)
    for match in results:
        between = adjusted_blocks_of if adjusted and match.blocks else blocks_of
        for (one, row), (other, column) in permutations(enumerate(match.seats), 2):
            met[row.bot, column.bot].extend(between(match, one, other))
    return met
