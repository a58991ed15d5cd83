"""Bots' notes and reported usage in a match. They are not part of the record."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.notes import Usage
from bourre_referee.model.model_call import ModelCall

MOST_NOTES_BYTES = 2**20
"""The most bytes of the notes of one match. Every seat has an equal share."""
NOTE_FRAME_BYTES = 16
"""The bytes that a note counts in addition to its text, to limit empty notes too."""


@dataclass(frozen=True, slots=True)
class Note:
    """A bot's note with one of its answers."""

    deal: int
    """The number of the deal, from 1."""
    seating: int | None
    """The number of the seating, from 1; None in format `session`."""
    number: int
    """The number of the answer among the actions in the record of the deal, from 1."""
    text: str
    calls: tuple[ModelCall, ...] = ()
    """The calls of the bot's language model for this answer, if the run has their record."""


@dataclass(frozen=True, slots=True)
class SeatRemarks:
    """The notes and usage of one seat's bot in a match."""

    notes: tuple[Note, ...] = ()
    """Its notes, in the order of the answers."""
    usage: Usage | None = None
    """The usage that it reported, if any."""
    dropped: int = 0
    """The number of notes that were dropped because of their total length."""

    def __bool__(self) -> bool:
        return bool(self.notes or self.usage or self.dropped)


class RemarkCollector:
    """Collects the remarks of one of several seats, up to its share of the bytes."""

    __slots__ = ("_dropped", "_notes", "_room", "_usage")

    def __init__(self, seats: int) -> None:
        self._room = MOST_NOTES_BYTES // seats
        self._notes: list[Note] = []
        self._usage: Usage | None = None
        self._dropped = 0

    def add_note(self, note: Note) -> None:
        """Stores a note if it fits, and otherwise counts it as dropped."""
        size = len(note.text.encode()) + NOTE_FRAME_BYTES
        if size > self._room:
            self._dropped += 1
            return
        self._room -= size
        self._notes.append(note)

    def add_usage(self, usage: Usage) -> None:
        """Adds the usage of an answer."""
        self._usage = usage if self._usage is None else self._usage + usage

    def add(self, remarks: SeatRemarks) -> None:
        """Adds the remarks of one of the boards of a match."""
        for note in remarks.notes:
            self.add_note(note)
        if remarks.usage:
            self.add_usage(remarks.usage)
        self._dropped += remarks.dropped

    def collected(self) -> SeatRemarks:
        """Returns the collected remarks."""
        return SeatRemarks(tuple(self._notes), self._usage, self._dropped)


def remarks_by_seat(collectors: list[RemarkCollector]) -> tuple[SeatRemarks, ...]:
    """Returns the remarks of all seats; empty if there are none."""
    found = tuple(collector.collected() for collector in collectors)
    return found if any(found) else ()
