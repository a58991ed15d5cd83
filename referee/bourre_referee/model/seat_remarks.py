"""What bots said in a match besides their answers; kept beside the record, never in it."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.notes import Usage

MOST_NOTES_BYTES = 2**20
"""The most bytes of the notes of one match; every seat has an equal share of them."""
NOTE_FRAME_BYTES = 16
"""What a note counts beyond its text, so that empty ones have an end too."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a bot said with one of its answers."""

    deal: int
    """The number of the deal, from 1."""
    seating: int | None
    """The number of the seating in `duplicate`, from 1; else None."""
    number: int
    """The number of the answer among the actions in the record of the deal, from 1."""
    text: str


@dataclass(frozen=True, slots=True)
class SeatRemarks:
    """What the bot of one seat said in a match."""

    notes: tuple[Note, ...] = ()
    """Its notes, in the order of the answers."""
    usage: Usage | None = None
    """What its answers cost, if it said so."""
    dropped: int = 0
    """How many of its notes were not kept, because they were too long together."""

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
        """Keeps a note if there is room, and counts it otherwise."""
        size = len(note.text.encode()) + NOTE_FRAME_BYTES
        if size > self._room:
            self._dropped += 1
            return
        self._room -= size
        self._notes.append(note)

    def add_usage(self, usage: Usage) -> None:
        """Adds what an answer cost."""
        self._usage = usage if self._usage is None else self._usage + usage

    def add(self, remarks: SeatRemarks) -> None:
        """Adds the remarks of one of the boards of a match."""
        for note in remarks.notes:
            self.add_note(note)
        if remarks.usage:
            self.add_usage(remarks.usage)
        self._dropped += remarks.dropped

    def collected(self) -> SeatRemarks:
        """Returns all of it."""
        return SeatRemarks(tuple(self._notes), self._usage, self._dropped)


def remarks_by_seat(collectors: list[RemarkCollector]) -> tuple[SeatRemarks, ...]:
    """Returns the remarks of all seats; nothing if no seat said anything."""
    found = tuple(collector.collected() for collector in collectors)
    return found if any(found) else ()
