"""A room that is being played, and what a room must be to begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.epoch import Place
from bourre_referee.ladder.log.events import RoomPaired


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """A room that is being played."""

    line_up: tuple[Entrant, ...]
    rated: bool
    challenge: bool
    """Whether an owner asked for it."""
    place: Place
    """Where its match is stored."""

    @property
    def players(self) -> Sequence[Entrant]:
        """Those whom it occupies: everyone but the staff of a probation room or a challenge."""
        return self.line_up if self.rated else [bot for bot in self.line_up if not bot.joined.staff]


def room_problem(event: RoomPaired, line_up: Sequence[Entrant], rooms_paired: int) -> str:
    """Says why these bots cannot have been called to this room, after so many rooms; empty if they can."""
    if event.room != rooms_paired + 1:
        return f"room {event.room} follows room {rooms_paired}"
    if event.rated and event.asked_by:
        return f"room {event.room} is a challenge, which is never rated"
    if not 2 <= len(set(event.line_up)) == len(line_up) <= 8:
        return f"room {event.room} must hold 2 to 8 different bots"
    for entrant in line_up:
        tested_by = entrant.joined.staff and not event.rated
        if not entrant.is_active or (entrant.room is not None and not tested_by):
            return f"{entrant.bot} was not free for room {event.room}"
    return ""
