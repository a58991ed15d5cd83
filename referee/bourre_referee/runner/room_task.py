"""A room that is to be played: which attempt it is, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner.room_reports import RoomLost, RoomPlayed


@dataclass(frozen=True, slots=True)
class RoomTask:
    """A room and the number of the attempt at it, starting at 1."""

    room: RoomSpec
    attempt: int = 1
    since: float = 0.0
    """When it was queued at a door, in seconds."""

    def played(self, outcomes: tuple[MatchOutcome, ...]) -> tuple[RoomPlayed, RoomTask | None]:
        """Returns the report, and what the room left unplayed as a room of its own, named after its first match."""
        room, left = self.room, self.room.matches[len(outcomes) :]
        if not left:
            return RoomPlayed(room, self.attempt, outcomes), None
        done = replace(room, matches=room.matches[: len(outcomes)])
        return RoomPlayed(done, self.attempt, outcomes), RoomTask(room.rest(left))

    def lost(self, reason: str, away: tuple[str, ...] = ()) -> tuple[RoomLost, RoomTask | None]:
        """Returns the report of a failed attempt, and the next one unless the room is given up."""
        report = RoomLost(self.room, self.attempt, reason, away)
        return report, None if report.is_last else replace(self, attempt=self.attempt + 1)
