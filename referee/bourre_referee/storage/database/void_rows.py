"""Reads discarded matches, and moves matches to their table."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import and_, col, delete, func, select

from bourre_referee.model.stored import HOST, DiscardedMatch
from bourre_referee.storage.database.record_reader import record_if_readable
from bourre_referee.storage.database.run_session import Cells, RunSession
from bourre_referee.storage.database.run_session import select as select_cells
from bourre_referee.storage.database.schema import FaultRow, MatchRow, RemarkRow, RenegeRow, SeatRow, VoidRow, table_of
from bourre_referee.storage.files.bounded_zlib import Unpacking
from bourre_referee.storage.files.sound_values import LONGEST_STORED_REASON

_VOIDS = "SELECT match, attempt, by, reason, at, revealed, record FROM void WHERE contest = ? ORDER BY match, attempt"


def discarded_matches(session: RunSession) -> list[DiscardedMatch]:
    """Reads every discarded match, in the order of matches and attempts. Raises ValueError for a corrupt record."""
    unpacking = Unpacking()
    return [
        DiscardedMatch(
            match=match,
            attempt=attempt,
            by=by,
            reason=reason,
            at=at,
            revealed=bool(revealed),
            record=None if record is None else record_if_readable(record, unpacking),
        )
        for match, attempt, by, reason, at, revealed, record in select_cells(session, _VOIDS, (session.contest,))
    ]


def attempts(session: RunSession) -> dict[str, int]:
    """Counts the discarded attempts per match, for matches that have any."""
    of_contest = select(VoidRow.match, func.count()).where(VoidRow.contest == session.contest)
    rows = session.exec(of_contest.group_by(col(VoidRow.match)))
    return dict(rows.all())


def void_match(session: RunSession, discarded: DiscardedMatch) -> None:
    """Moves a finished match from `match` to `void`, with its record."""
    of_contest = MatchRow.contest == session.contest
    row = session.exec(select(MatchRow).where(of_contest, MatchRow.match == discarded.match)).one()
    session.insert(table_of(VoidRow), [_void_cells(discarded, row.record)])
    for table in (SeatRow, RenegeRow, FaultRow, RemarkRow):
        of_match = and_(col(table.contest) == row.contest, col(table.number) == row.number)
        session.execute(delete(table).where(of_match))
    session.delete(row)


def add_lost(session: RunSession, matches: Iterable[str], reason: str, at: str, revealed: bool) -> None:
    """Adds rows for failed attempts at each of these matches."""
    before = attempts(session)
    lost = (DiscardedMatch(match, before.get(match, 0) + 1, HOST, reason, at, revealed, None) for match in matches)
    session.insert(table_of(VoidRow), (_void_cells(each, None) for each in lost))


def _storable(text: str) -> str:
    """Replaces characters that databases cannot store: the zero byte and surrogates."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def _void_cells(void: DiscardedMatch, record: bytes | None) -> Cells:
    return Cells(
        match=void.match,
        attempt=void.attempt,
        by=void.by,
        reason=_storable(void.reason)[:LONGEST_STORED_REASON],
        at=void.at,
        revealed=void.revealed,
        record=record,
    )
