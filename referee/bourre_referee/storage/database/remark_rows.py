"""Stores and reads the notes and the reported usage of bots."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator

from sqlalchemy import ColumnElement
from sqlalchemy import select as select_columns
from sqlmodel import and_, col, or_, select

from bourre.notes import Usage, shorten_note
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.storage.database.run_session import Cells, RunSession
from bourre_referee.storage.database.schema import MatchRow, RemarkRow, SeatRow
from bourre_referee.storage.files.bounded_zlib import Unpacking

NO_USAGE = Usage()


def remark_cells(number: int, outcome: MatchOutcome) -> Iterator[Cells]:
    """Makes a row for each seat with notes or usage."""
    for seat, remarks in enumerate(outcome.remarks):
        if remarks:
            usage = remarks.usage or NO_USAGE
            yield Cells(
                number=number,
                seat=seat,
                notes=_pack(remarks.notes),
                dropped=remarks.dropped,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                calls=usage.calls,
                cost_millionths=usage.cost_millionths,
            )


def _pack(notes: Iterable[Note]) -> bytes | None:
    rows = [[note.deal, note.seating, note.number, note.text] for note in notes]
    return zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode(), 9) if rows else None


def remarked_matches(session: RunSession) -> frozenset[int]:
    """Returns the numbers of the matches with notes or usage."""
    return frozenset(session.exec(select(RemarkRow.number).where(RemarkRow.contest == session.contest).distinct()))


def noted_matches(session: RunSession, bot: str) -> tuple[str, ...]:
    """Returns the ids of the matches with this bot's notes, in schedule order."""
    of_match = and_(col(MatchRow.contest) == RemarkRow.contest, col(MatchRow.number) == RemarkRow.number)
    found = select(MatchRow.match).join(RemarkRow, of_match).join(SeatRow, _at_seat())
    by_bot = found.where(MatchRow.contest == session.contest, SeatRow.bot == bot)
    return tuple(session.exec(by_bot.order_by(col(MatchRow.number))))


def _at_seat() -> ColumnElement[bool]:
    """Joins remarks with the seat that they belong to."""
    same_match = and_(col(SeatRow.contest) == RemarkRow.contest, col(SeatRow.number) == RemarkRow.number)
    return and_(same_match, col(SeatRow.seat) == RemarkRow.seat)


def read_remarks(session: RunSession, number: int) -> tuple[SeatRemarks, ...]:
    """Reads the notes and usage of one match, by seat. Raises ValueError for an invalid value."""
    of_seats = SeatRow.contest == session.contest, SeatRow.number == number
    seats = len(session.exec(select(SeatRow.seat).where(*of_seats)).all())
    of_remarks = RemarkRow.contest == session.contest, RemarkRow.number == number
    rows = session.exec(select(RemarkRow).where(*of_remarks)).all()
    said = {row.seat: _remarks(row) for row in rows}
    return tuple(said.get(seat, SeatRemarks()) for seat in range(seats)) if said else ()


def _remarks(row: RemarkRow) -> SeatRemarks:
    counts = row.tokens_in, row.tokens_out, row.calls, row.cost_millionths
    if any(type(count) is not int or count < 0 for count in (row.dropped, *counts)):
        raise ValueError(f"what the bot of seat {row.seat} used must be whole numbers from 0 up")
    usage = Usage(*counts)
    try:
        notes = () if row.notes is None else tuple(map(_note, json.loads(Unpacking().unpack(row.notes))))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the notes of seat {row.seat} are damaged ({error})") from error
    return SeatRemarks(notes, None if usage == NO_USAGE else usage, row.dropped)


def _note(found: list[object]) -> Note:
    deal, seating, number, text = found
    if not (type(deal) is int and type(number) is int and isinstance(text, str)):
        raise ValueError("a note is a deal, a seating, the number of an action, and a text")
    if seating is not None and type(seating) is not int:
        raise ValueError("a seating is a whole number")
    return Note(deal, seating, number, shorten_note(text))


def has_usage(session: RunSession) -> bool:
    """Returns whether any bot reported usage."""
    used = (RemarkRow.tokens_in, RemarkRow.tokens_out, RemarkRow.calls, RemarkRow.cost_millionths)
    any_used = or_(*(col(count) > 0 for count in used))
    found = select(RemarkRow.number).where(RemarkRow.contest == session.contest, any_used)
    return session.exec(found.limit(1)).first() is not None


def usage_by_bot(session: RunSession) -> dict[str, Usage]:
    """Adds up each bot's reported usage in the finished matches."""
    used = (RemarkRow.tokens_in, RemarkRow.tokens_out, RemarkRow.calls, RemarkRow.cost_millionths)
    rows = select_columns(col(SeatRow.bot), *map(col, used)).join(RemarkRow, _at_seat())
    found: dict[str, Usage] = {}
    for bot, *numbers in session.execute(rows.where(col(SeatRow.contest) == session.contest)):
        if (usage := Usage(*numbers)) != NO_USAGE:
            found[bot] = found.get(bot, NO_USAGE) + usage
    return found
