"""Makes the notes that bots sent with their answers safe to print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bourre.record import Record
from bourre_referee.model.model_call import without_numbers
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.events_by_deal import place_of
from bourre_referee.text.narration.spoken_calls import SpokenCall, spoken_call


@dataclass(frozen=True, slots=True)
class SpokenNote:
    """A note with its answer. All text is printable."""

    bot: int
    """The number of the bot in the match."""
    name: str
    seat: int
    """Its seat at the table."""
    number: int
    """The number of the answer among the actions of the deal, from 1."""
    action: str
    """The answer, as the record writes it."""
    lines: tuple[str, ...]
    """The note, without the numbers of `calls`."""
    calls: tuple[SpokenCall, ...] = ()
    """The calls of the bot's language model for this answer."""

    @property
    def place(self) -> str:
        """The author of the note and the answer: `kim, action 7 (QH)`."""
        return f"{self.name}, action {self.number} ({self.action})"


SpokenNotes = Mapping[tuple[int, int | None], Sequence[SpokenNote]]
"""The notes on each deal, by its number and seating, in the order of the answers."""


def spoken_notes(record: Record, remarks: Sequence[SeatRemarks]) -> SpokenNotes:
    """Finds the answer of each note. Leaves out a note on an action that the record does not have."""
    deals = {(deal.deal, deal.seating): deal for deal in record.deals}
    found: defaultdict[tuple[int, int | None], list[SpokenNote]] = defaultdict(list)
    for bot, (name, said) in enumerate(zip(seat_names(record.header.bots), remarks, strict=False)):
        for note in said.notes:
            deal = deals.get((note.deal, note.seating))
            if deal is None or not 1 <= note.number <= len(deal.actions):
                continue
            seat, action = deal.actions[note.number - 1]
            text = without_numbers(note.text) if note.calls else note.text
            lines = tuple(map(printable, text.splitlines()))
            spoken = SpokenNote(bot, name, seat, note.number, str(action), lines, tuple(map(spoken_call, note.calls)))
            found[note.deal, note.seating].append(spoken)
    return {place: sorted(notes, key=lambda note: note.number) for place, notes in found.items()}


def note_lines(notes: Iterable[SpokenNote]) -> Iterator[str]:
    """Yields the notes on a deal, each on one or more lines."""
    for note in notes:
        first, *rest = note.lines or ("",)
        yield f"  {note.place}: {first}"
        yield from (f"    {line}" for line in rest)


def match_note_lines(record: Record, remarks: Sequence[SeatRemarks]) -> Iterator[str]:
    """Yields the notes of a match alone, deal by deal, followed by `closing_lines`."""
    notes = spoken_notes(record, remarks)
    for deal in record.deals:
        if said := notes.get((deal.deal, deal.seating)):
            yield place_of(deal.deal, deal.seating)
            yield from note_lines(said)
    yield from closing_lines(record, remarks)


def closing_lines(record: Record, remarks: Sequence[SeatRemarks]) -> Iterator[str]:
    """Yields each bot's reported usage in the match, and the number of notes that were not kept."""
    named = list(zip(seat_names(record.header.bots), remarks, strict=False))
    yield from (f"{name} used {said.usage} in this match" for name, said in named if said.usage)
    for name, said in named:
        if said.dropped:
            notes = "1 note" if said.dropped == 1 else f"{said.dropped} notes"
            yield f"{notes} of {name} were not kept: all notes of a match take 1 MiB at most"
