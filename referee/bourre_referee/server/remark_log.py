"""What the bots at a table say with their answers, and where in the record it belongs."""

from __future__ import annotations

from bourre.messages import Answer
from bourre.record.recorder import Draft
from bourre_referee.model.seat_remarks import Note, RemarkCollector, SeatRemarks, remarks_by_seat


class RemarkLog:
    """Keeps a note until the answer that it came with is played, and so has a number in the record of the deal."""

    def __init__(self, seats: int, seating: int | None) -> None:
        self._seats = [RemarkCollector(seats) for _ in range(seats)]
        self._seating = seating
        self.waiting: dict[int, str] = {}
        """The notes on answers that are not played yet, by seat."""

    def hear(self, seat: int, answer: Answer) -> None:
        """Takes what came with the answer that a seat gives now."""
        if answer.usage:
            self._seats[seat].add_usage(answer.usage)
        if answer.note:
            self.waiting[seat] = answer.note

    def place(self, seat: int, draft: Draft | None) -> None:
        """Keeps the note, if any, on the answer that is about to be played in this deal."""
        text = self.waiting.pop(seat, None)
        if text is not None and draft is not None:
            self._seats[seat].add_note(Note(draft.deal, self._seating, len(draft.actions) + 1, text))

    def remarks(self) -> tuple[SeatRemarks, ...]:
        """Returns what each seat said; nothing if no seat said anything."""
        return remarks_by_seat(self._seats)
