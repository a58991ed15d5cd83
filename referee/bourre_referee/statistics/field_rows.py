"""Keeps the rows of the field model: for each match its bots and their chips per 100 deals, in about 100 bytes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd

from bourre_referee.model.results import MatchResult, is_no_show
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, adjusted_blocks_of, blocks_of, divide

STAND_IN = ""
"""The entrant in every seat that a stand-in played. No bot has this name."""


@dataclass(slots=True)
class Columns:
    """Blocks at tables of one size, one after the other."""

    matches: array[int] = field(default_factory=lambda: array("q"))
    """The number of each block's match."""
    entrants: array[int] = field(default_factory=lambda: array("q"))
    """The numbers of the entrants of each block, by seat."""
    chips: array[float] = field(default_factory=lambda: array("d"))
    """Their chips per 100 deals."""

    def add(self, match: int, entrants: Iterable[int], chips: Iterable[float]) -> None:
        """Adds a block of the match with this number."""
        self.matches.append(match)
        self.entrants.extend(entrants)
        self.chips.extend(chips)


@dataclass(slots=True)
class FieldRows:
    """The blocks of a contest, which may come in any order."""

    entrants: list[str] = field(default_factory=list)
    """By number."""
    matches: dict[int, Columns] = field(default_factory=dict)
    """By the number of seats."""
    deals: Columns | None = field(default_factory=Columns)
    """The same, with each deal as a block. None unless all matches have one line-up and know their deals."""
    step: int = 0
    """The greatest common divisor of all results, in parts of a chip."""
    parts: int = 1
    """How many parts a chip has, times the deals of a block: the largest of all blocks."""

    def add(self, match: MatchResult, number: int) -> None:
        """Adds the match with this number in the schedule, less luck where it is known."""
        entrants = [self._number(entrant) for entrant in entrants_of(match)]
        blocks_by_seat = adjusted_blocks_of if match.blocks else blocks_of
        seats = [list(blocks_by_seat(match, seat)) for seat in range(len(match.seats))]
        unit = match.unit * (ADJUSTED_PARTS if match.blocks else 1)
        totals = [sum(block.chips for block in blocks) for blocks in seats]
        parts = match.playings * unit
        if self.deals is not None and match.blocks and len(self.entrants) == len(match.seats):
            for deal in zip(*seats, strict=True):
                self.deals.add(number, entrants, (divide(100 * each.chips, each.deals * unit) for each in deal))
        else:
            self.deals = None
        self.matches.setdefault(len(totals), Columns()).add(number, entrants, (divide(100 * x, parts) for x in totals))
        self.step = gcd(self.step, *(block.chips for blocks in seats for block in blocks))
        self.parts = max(self.parts, parts)

    def _number(self, entrant: str) -> int:
        if entrant not in self.entrants:
            self.entrants.append(entrant)
        return self.entrants.index(entrant)


def entrants_of(match: MatchResult) -> list[str]:
    """Returns who is rated by each seat: its bot, or STAND_IN if a stand-in played most of its deals."""
    return [STAND_IN if is_no_show(match.playings, seat.house_deals) else seat.bot for seat in match.seats]
