"""Make the rows of what bots said in a match besides their answers."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.remarks import Usage
from bourre_referee.export.table_rows import NoteRow, UsageRow
from bourre_referee.model.stored import StoredMatch
from bourre_referee.text.names import printable


def note_rows(match: StoredMatch) -> Iterator[NoteRow]:
    """Yield a row for each note of a match, by deal, seating and action; what controls a terminal is escaped."""
    said = (
        (note, seat.bot) for seat, remarks in zip(match.seats, match.remarks, strict=False) for note in remarks.notes
    )
    for note, bot in sorted(said, key=lambda pair: (pair[0].deal, pair[0].seating or 0, pair[0].number)):
        text = "\n".join(map(printable, note.text.splitlines()))
        yield NoteRow(match.match, note.deal, note.seating, note.number, bot, text)


def usage_rows(match: StoredMatch) -> Iterator[UsageRow]:
    """Yield a row for each bot that said something in a match."""
    for number, (seat, remarks) in enumerate(zip(match.seats, match.remarks, strict=False)):
        if remarks:
            usage = remarks.usage or Usage()
            yield UsageRow(
                match=match.match,
                seat=number,
                bot=seat.bot,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                calls=usage.calls,
                cost_millionths=usage.cost_millionths,
                notes=len(remarks.notes),
                notes_dropped=remarks.dropped,
            )
