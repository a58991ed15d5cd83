"""What all bots of a table had of the same deals: the blocks that are drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of

MOST_BLOCKS = 2_000
"""Deals of one duplicate match are put together until there are no more than about this many blocks."""


@dataclass(frozen=True, slots=True)
class JointBlock:
    """Deals that hang together, and what each bot had of them."""

    bots: tuple[str, ...]
    chips: tuple[int, ...]
    """By bot; in parts of a chip, the same in all blocks."""
    deals: int
    """That each of them played."""


def joint_blocks(results: Sequence[MatchResult], adjusted: bool = False) -> list[JointBlock]:
    """The blocks of these matches; `adjusted`: less the luck of the draw, which must be known."""
    size = -(-sum(max(1, len(match.blocks)) for match in results) // MOST_BLOCKS)
    return [
        _together(match, rows[first : first + size])
        for match in results
        for rows in [list(_rows(match, adjusted))]
        for first in range(0, len(rows), size)
    ]


def _rows(match: MatchResult, adjusted: bool) -> Iterator[tuple[Block, ...]]:
    """For each block of a match that of every seat."""
    of_seat = adjusted_blocks_of if adjusted else blocks_of
    return zip(*(of_seat(match, seat) for seat in range(len(match.seats))), strict=True)


def _together(match: MatchResult, rows: Sequence[tuple[Block, ...]]) -> JointBlock:
    chips = tuple(sum(block.chips for block in of_seat) for of_seat in zip(*rows, strict=True))
    return JointBlock(tuple(seat.bot for seat in match.seats), chips, sum(row[0].deals for row in rows))
