"""One epoch of a ladder: the rooms that were called under its seeds, and their places among its matches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bourre_referee.ladder.log.events import EpochClosed, EpochOpened


class Place(NamedTuple):
    """Where the match of a room is found."""

    epoch: int
    rated: bool
    match: int
    """Its number among the epoch's rated matches, or among its unrated ones, starting at 1."""


def epoch_name(number: int, *, rated: bool) -> str:
    """Returns the name of an epoch's rated rooms, such as `0001`, or of its unrated ones, `0001-unrated`."""
    return f"{number:04d}" if rated else f"{number:04d}-unrated"


@dataclass(eq=False, slots=True)
class Epoch:
    """A part of a season with secret seeds of its own; its rooms follow each other in number."""

    opened: EpochOpened
    season: int
    first_room: int
    rooms: int = 0
    """How many rooms were called."""
    rated: list[tuple[str, ...]] = field(default_factory=list)
    """The line-ups of its rated rooms, entrants by seat, in order; empty again once it is closed."""
    unrated: list[tuple[str, ...]] = field(default_factory=list)
    """Those of its unrated rooms."""
    closed: EpochClosed | None = None
    abandoned: bool = False
    """Whether the host restored a backup, so that its seeds may be known."""
    _unrated_rooms: list[int] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Its number, starting at 1."""
        return self.opened.epoch

    def __contains__(self, room: int) -> bool:
        """Whether this room was called in this epoch."""
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
        """Forgets the line-ups, which its run folders hold from now on."""
        self.closed = event
        self.rated.clear()
        self.unrated.clear()
