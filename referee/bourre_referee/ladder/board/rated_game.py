"""A finished game of a rated room, with its faults."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatFault


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game of a rated room; its bots are entrants of the ladder."""

    room: int
    """The room's number in the log."""
    result: MatchResult
    faults: tuple[SeatFault, ...] = ()
    """The faults by seat and kind."""
