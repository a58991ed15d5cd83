"""Playings that do not count: kept in a table of their own, so that nothing disappears."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, delete, func, select

from bourre_referee.model.stored import HOST, KeptVoid
from bourre_referee.storage.schema import FaultRow, MatchRow, RenegeRow, SeatRow, VoidRow


def attempts(session: Session) -> dict[str, int]:
    """How many playings of each match are void; not those of which none is."""
    rows = session.exec(select(VoidRow.match, func.count()).group_by(col(VoidRow.match)))
    return dict(rows.all())


def take_back(session: Session, taken: KeptVoid) -> None:
    """Moves a finished match from `match` to `void`, with its record."""
    row = session.exec(select(MatchRow).where(MatchRow.match == taken.match)).one()
    session.add(_void_row(taken, row.record))
    for table in (SeatRow, RenegeRow, FaultRow):
        session.execute(delete(table).where(col(table.number) == row.number))
    session.delete(row)


def add_lost(session: Session, matches: Iterable[str], reason: str, at: str, revealed: bool) -> None:
    """Notes that the host failed a playing of each of these matches."""
    before = attempts(session)
    for match in matches:
        lost = KeptVoid(match, before.get(match, 0) + 1, HOST, reason, at, revealed, record=None)
        session.add(_void_row(lost, None))


def _void_row(void: KeptVoid, record: bytes | None) -> VoidRow:
    return VoidRow(
        match=void.match,
        attempt=void.attempt,
        by=void.by,
        reason=void.reason,
        at=void.at,
        revealed=void.revealed,
        record=record,
    )
