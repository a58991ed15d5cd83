"""Keeps the rows of the field model: for each match its bots and their chips per 100 deals."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import NamedTuple

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, adjusted_blocks_of, blocks_of, divide

STAND_IN = ""
"""The entrant in every seat that a stand-in played. No bot has this name."""


class FieldRow(NamedTuple):
    """One match."""

    entrants: tuple[str, ...]
    """By seat: the bot, or STAND_IN if a stand-in played most of its deals."""
    chips: tuple[tuple[float, ...], ...]
    """Chips per 100 deals by seat, for each block of the match, less luck where it is known."""


@dataclass(slots=True)
class FieldRows:
    """The matches of a contest, which may come in any order."""

    matches: dict[int, FieldRow] = field(default_factory=dict)
    """By number in the schedule, each as one block."""
    deals: dict[int, FieldRow] | None = field(default_factory=dict)
    """The same, with each deal as a block. None unless all matches have one line-up and know their deals."""
    step: int = 0
    """The greatest common divisor of all results of blocks, in parts of a chip."""
    parts: int = 1
    """The parts of a chip times the deals of a match: the largest number of all matches."""

    def add(self, match: MatchResult, number: int) -> None:
        """Adds the match with this number in the schedule."""
        blocks_by_seat = adjusted_blocks_of if match.blocks else blocks_of
        blocks = list(zip(*(blocks_by_seat(match, seat) for seat in range(len(match.seats))), strict=True))
        unit = match.unit * (ADJUSTED_PARTS if match.blocks else 1)
        parts, totals = (
            match.playings * unit,
            [sum(block.chips for block in seat) for seat in zip(*blocks, strict=True)],
        )
        entrants = tuple(STAND_IN if match.is_by_stand_in(seat) else seat.bot for seat in match.seats)
        row = FieldRow(entrants, (tuple(divide(100 * total, parts) for total in totals),))
        self.matches[number] = row
        if self.deals is not None and match.blocks and {*row.entrants} == {*next(iter(self.matches.values())).entrants}:
            deals = (tuple(divide(100 * each.chips, each.deals * unit) for each in deal) for deal in blocks)
            self.deals[number] = FieldRow(row.entrants, tuple(deals))
        else:
            self.deals = None
        self.step = gcd(self.step, *(each.chips for block in blocks for each in block))
        self.parts = max(self.parts, parts)
