"""The seasons of a ladder, with their epochs and the matches that the host took back."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import (
    EpochAbandoned,
    EpochClosed,
    EpochOpened,
    LadderError,
    LastBoardKept,
    MatchVoided,
    RoomPaired,
    SeasonOpened,
)


class Place(NamedTuple):
    """The place of a room's match."""

    epoch: int
    rated: bool
    match: int
    """Its number among the epoch's rated or unrated matches, starting at 1."""


def epoch_name(number: int, *, rated: bool) -> str:
    """Returns the name of an epoch's rated rooms, such as `0001`, or of its unrated ones, `0001-unrated`."""
    return f"{number:04d}" if rated else f"{number:04d}-unrated"


@dataclass(eq=False, slots=True)
class Epoch:
    """A part of a season with its own secret seeds. Its rooms have consecutive numbers."""

    opened: EpochOpened
    season: int
    first_room: int
    rooms: int = 0
    """The number of its rooms so far."""
    rated: list[tuple[str, ...]] = field(default_factory=list)
    """The line-ups of its rated rooms, entrants by seat, in order; empty after it is closed."""
    unrated: list[tuple[str, ...]] = field(default_factory=list)
    """The line-ups of its unrated rooms."""
    closed: EpochClosed | None = None
    abandoned: bool = False
    """Whether the host restored a backup, so that the seeds may be known."""
    _unrated_rooms: list[int] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Its number, starting at 1."""
        return self.opened.epoch

    def __contains__(self, room: int) -> bool:
        """Whether this room belongs to this epoch."""
        return self.first_room <= room < self.first_room + self.rooms

    def call(self, line_up: Sequence[str], rated: bool) -> Place:
        """Adds the next room, with these entrants by seat, and returns its place."""
        room = self.first_room + self.rooms
        self.rooms += 1
        (self.rated if rated else self.unrated).append(tuple(line_up))
        if not rated:
            self._unrated_rooms.append(room)
        return self.place(room)

    def place(self, room: int) -> Place:
        """Returns the place of a room of this epoch."""
        before = bisect_left(self._unrated_rooms, room)
        if before < len(self._unrated_rooms) and self._unrated_rooms[before] == room:
            return Place(self.number, rated=False, match=before + 1)
        return Place(self.number, rated=True, match=room - self.first_room - before + 1)

    def close(self, event: EpochClosed) -> None:
        """Drops the line-ups, because the run folders now contain them."""
        self.closed = event
        self.rated.clear()
        self.unrated.clear()


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """A room in play."""

    line_up: tuple[LadderEntrant, ...]
    rated: bool
    challenge: bool
    """Whether an owner requested it."""
    place: Place
    """Where its match is stored."""

    @property
    def clock_class(self) -> str:
        """The clock class of its bots."""
        return self.line_up[0].joined.clock_class

    @property
    def players(self) -> Sequence[LadderEntrant]:
        """The bots that it occupies: all except the staff of a probation room or a challenge."""
        return self.line_up if self.rated else [bot for bot in self.line_up if not bot.joined.staff]


def room_problem(event: RoomPaired, line_up: Sequence[LadderEntrant], rooms_paired: int) -> str:
    """Returns why these bots cannot be in this room, after this many rooms; empty if they can."""
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


class Seasons:
    """All epochs so far. Every method raises LadderError for an impossible event."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the current season; 0 before the first."""
        self.epochs: list[Epoch] = []
        """All epochs, in order."""
        self.voided: dict[int, str] = {}
        """Why the host took back a room's match, by the room's number."""
        self.last_boards: dict[int, tuple[str, ...]] = {}
        """The SHA-256 of every stored last board of a season, in order."""

    @property
    def current(self) -> Epoch | None:
        """The epoch in which rooms are paired; None if the last one is closed or abandoned."""
        last = self.epochs[-1] if self.epochs else None
        return last if last and not (last.closed or last.abandoned) else None

    @property
    def unclosed(self) -> list[Epoch]:
        """The epochs that are not closed, in order."""
        return [epoch for epoch in self.epochs if not epoch.closed]

    def place_of(self, room: int) -> Place | None:
        """Returns the place of a room's match; None if there is no such room."""
        after = bisect_right(self.epochs, room, key=lambda epoch: epoch.first_room)
        found = self.epochs[after - 1] if after else None
        return found.place(room) if found and room in found else None

    def open_season(self, event: SeasonOpened) -> None:
        """Opens the next season."""
        if event.season != self.last + 1:
            raise LadderError(f"season {event.season} follows season {self.last}")
        self.last = event.season

    def keep_board(self, event: LastBoardKept) -> None:
        """Records the last board of a finished season."""
        if not 1 <= event.season < self.last:
            raise LadderError(f"season {event.season} is not over")
        self.last_boards[event.season] = (*self.last_boards.get(event.season, ()), event.sha256)

    def open_epoch(self, event: EpochOpened, rooms_paired: int) -> None:
        """Opens the next epoch of the season, after this many rooms in total."""
        if event.epoch != len(self.epochs) + 1:
            raise LadderError(f"epoch {event.epoch} follows epoch {len(self.epochs)}")
        self.epochs.append(Epoch(event, self.last, rooms_paired + 1))

    def end_epoch(self, event: EpochClosed | EpochAbandoned, playing: Collection[int]) -> None:
        """Closes or abandons an epoch without rooms in play."""
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
        """Takes back the match of a finished room."""
        place = self.place_of(event.room)
        if place is None or event.room in playing:
            raise LadderError(f"room {event.room} has not been finished")
        if place.epoch != event.epoch:
            raise LadderError(f"room {event.room} was paired in epoch {place.epoch}, not {event.epoch}")
        if event.room in self.voided:
            raise LadderError(f"the match of room {event.room} is void already")
        self.voided[event.room] = event.reason
