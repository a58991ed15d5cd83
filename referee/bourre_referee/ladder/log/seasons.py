"""The seasons of a ladder: their epochs, and the matches in them that the host took back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

from bourre_referee.ladder.log.epoch import Epoch, Place
from bourre_referee.ladder.log.events import (
    EpochAbandoned,
    EpochClosed,
    EpochOpened,
    LadderError,
    LastBoardKept,
    MatchVoided,
    SeasonOpened,
)


class Seasons:
    """All epochs so far; every method raises LadderError for what cannot have happened."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the current season; 0 before the first."""
        self.epochs: list[Epoch] = []
        """All epochs, by number less one."""
        self.voided: dict[int, str] = {}
        """Why the host took back the match of a finished room, by the room's number."""
        self.last_boards: dict[int, tuple[str, ...]] = {}
        """The SHA-256 of every last board that was kept of a season, in order."""

    @property
    def current(self) -> Epoch | None:
        """The epoch in which rooms are paired; None if the last one is closed or abandoned."""
        last = self.epochs[-1] if self.epochs else None
        return last if last and not (last.closed or last.abandoned) else None

    def place_of(self, room: int) -> Place | None:
        """Returns where the match of a room is found; None if no such room was called."""
        after = bisect_right(self.epochs, room, key=lambda epoch: epoch.first_room)
        found = self.epochs[after - 1] if after else None
        return found.place(room) if found and room in found else None

    def open_season(self, event: SeasonOpened) -> None:
        """Opens the next season."""
        if event.season != self.last + 1:
            raise LadderError(f"season {event.season} follows season {self.last}")
        self.last = event.season

    def keep_board(self, event: LastBoardKept) -> None:
        """Notes the last board of a season that is over."""
        if not 1 <= event.season < self.last:
            raise LadderError(f"season {event.season} is not over")
        self.last_boards[event.season] = (*self.last_boards.get(event.season, ()), event.sha256)

    def open_epoch(self, event: EpochOpened, rooms_paired: int) -> None:
        """Opens the next epoch of the season, after so many rooms in all."""
        if event.epoch != len(self.epochs) + 1:
            raise LadderError(f"epoch {event.epoch} follows epoch {len(self.epochs)}")
        self.epochs.append(Epoch(event, self.last, rooms_paired + 1))

    def end_epoch(self, event: EpochClosed | EpochAbandoned, playing: Collection[int]) -> None:
        """Closes or abandons an epoch of which no room is being played."""
        if not 1 <= event.epoch <= len(self.epochs) or self.epochs[event.epoch - 1].closed:
            raise LadderError(f"epoch {event.epoch} is not open")
        epoch = self.epochs[event.epoch - 1]
        if unfinished := [room for room in playing if room in epoch]:
            raise LadderError(f"room {unfinished[0]} of epoch {event.epoch} is being played")
        if isinstance(event, EpochClosed):
            epoch.close(event)
        else:
            epoch.abandoned = True

    def void(self, event: MatchVoided, playing: Collection[int]) -> None:
        """Takes back the match of a room that is not being played."""
        place = self.place_of(event.room)
        if place is None or event.room in playing:
            raise LadderError(f"room {event.room} has not been finished")
        if place.epoch != event.epoch:
            raise LadderError(f"room {event.room} was paired in epoch {place.epoch}, not {event.epoch}")
        if event.room in self.voided:
            raise LadderError(f"the match of room {event.room} is void already")
        self.voided[event.room] = event.reason
