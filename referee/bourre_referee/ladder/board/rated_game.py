"""A finished game of a rated room, with its faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatFault
from bourre_referee.ratings.belief import Outcome, outcome_of


class GameOutcome(NamedTuple):
    """What ratings take from a game; a host keeps it of all games of a season, so it is small."""

    room: int
    """The room's number in the log."""
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game of a rated room; its bots are entrants of the ladder."""

    room: int
    """The room's number in the log."""
    result: MatchResult
    faults: tuple[SeatFault, ...] = ()
    """The faults by seat and kind."""

    @property
    def outcome(self) -> GameOutcome:
        """What ratings take from it."""
        return GameOutcome(self.room, outcome_of(self.result, {seat.bot for seat in self.result.seats}))
