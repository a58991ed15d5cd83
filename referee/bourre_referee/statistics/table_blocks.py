"""The blocks that the bootstrap draws: the chips of whole tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of

MAX_BLOCKS = 2_000
"""The deals of each duplicate match are merged until there are no more than about this many blocks."""


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One block with the chips of every bot at the table."""

    bots: tuple[str, ...]
    chips: tuple[int, ...]
    """By bot, in parts of a chip; the parts are the same in all blocks."""
    deals: int
    """How many deals each bot played."""


def table_blocks(results: Sequence[MatchResult], adjusted: bool = False) -> list[TableBlock]:
    """Returns the blocks of these matches; `adjusted` takes off the luck of the draw, which must be known."""
    size = -(-sum(max(1, len(match.blocks)) for match in results) // MAX_BLOCKS)
    return [
        _merge(match, rows[first : first + size])
        for match in results
        for rows in [list(_rows(match, adjusted))]
        for first in range(0, len(rows), size)
    ]


def _rows(match: MatchResult, adjusted: bool) -> Iterator[tuple[Block, ...]]:
    """Yields for each block of a match the blocks of its seats."""
    of_seat = adjusted_blocks_of if adjusted else blocks_of
    return zip(*(of_seat(match, seat) for seat in range(len(match.seats))), strict=True)


def _merge(match: MatchResult, rows: Sequence[tuple[Block, ...]]) -> TableBlock:
    chips = tuple(sum(block.chips for block in of_seat) for of_seat in zip(*rows, strict=True))
    return TableBlock(tuple(seat.bot for seat in match.seats), chips, sum(row[0].deals for row in rows))
