"""Reads rows as they are stored, for checks and exports, and moves matches between tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from sqlmodel import Session, col, delete, func, select

from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import HOST, DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.storage.packed import Damaged, Unpacking
from bourre_referee.storage.schema import FaultRow, MatchRow, RenegeRow, SeatRow, VoidRow
from bourre_referee.storage.translation import blocks_in

Counts = dict[int, list[tuple[str, int]]]


def match_rows(session: Session) -> Iterator[MatchRow]:
    """Yields every match in schedule order, one at a time."""
    return session.exec(select(MatchRow).order_by(col(MatchRow.number)), execution_options={"yield_per": 1})


def stored_match(row: MatchRow, session: Session) -> StoredMatch:
    """Reads the match of this row with all its rows; raises ValueError for a corrupt value."""
    broken = session.exec(select(RenegeRow).where(RenegeRow.number == row.number).order_by(col(RenegeRow.rule)))
    faults = session.exec(select(FaultRow).where(FaultRow.number == row.number).order_by(col(FaultRow.fault)))
    by_rule = _by_seat((renege.seat, renege.rule, renege.times) for renege in broken)
    by_kind = _by_seat((fault.seat, fault.fault, fault.times) for fault in faults)
    seats = session.exec(select(SeatRow).where(SeatRow.number == row.number).order_by(col(SeatRow.seat))).all()
    return StoredMatch(
        number=row.number,
        match=row.match,
        deals=row.deals,
        attempt=row.attempt,
        isolation=row.isolation,
        seats=tuple(_stored_seat(seat, by_rule, by_kind) for seat in seats),
        record=_record_in(row.record, Unpacking()),
        sha256=row.sha256,
        unit=row.unit,
        blocks=blocks_in(row.blocks, Unpacking()),
        timings=tuple(map(_timing, seats)),
    )


def _by_seat(counts: Iterable[tuple[int, str, int]]) -> Counts:
    by_seat: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for seat, what, times in counts:
        by_seat[seat].append((what, times))
    return by_seat


def _stored_seat(row: SeatRow, by_rule: Counts, by_kind: Counts) -> StoredSeat:
    return StoredSeat(
        bot=row.bot,
        chips=row.chips,
        rank=row.rank,
        wins=row.wins,
        bourres=row.bourres,
        reneges=row.reneges,
        faults=row.faults,
        house_deals=row.house_deals,
        reneges_by_rule=tuple(by_rule.get(row.seat, ())),
        faults_by_kind=tuple(by_kind.get(row.seat, ())),
    )


def _timing(row: SeatRow) -> SeatTiming:
    return SeatTiming(row.decisions, row.total_ms, row.longest_ms, row.queue_ms, row.bot_ms, row.cpu_ms)


def discarded_matches(session: Session) -> list[DiscardedMatch]:
    """Reads every discarded match, in the order of matches and attempts; raises ValueError for a corrupt record."""
    unpacking = Unpacking()
    rows = session.exec(select(VoidRow).order_by(col(VoidRow.match), col(VoidRow.attempt)))
    return [
        DiscardedMatch(
            match=row.match,
            attempt=row.attempt,
            by=row.by,
            reason=row.reason,
            at=row.at,
            revealed=row.revealed,
            record=None if row.record is None else _record_in(row.record, unpacking),
        )
        for row in rows
    ]


def _record_in(packed: bytes, unpacking: Unpacking) -> str | None:
    """Unpacks a stored record; None if it is too damaged to read. Raises ValueError if no run could have stored it."""
    try:
        return unpacking.unpack(packed).decode()
    except (Damaged, UnicodeDecodeError):
        return None
    except ValueError as error:
        raise ValueError(f"no run stores such a record ({error})") from error


def attempts(session: Session) -> dict[str, int]:
    """Counts the discarded attempts per match; matches without any are left out."""
    rows = session.exec(select(VoidRow.match, func.count()).group_by(col(VoidRow.match)))
    return dict(rows.all())


def void_match(session: Session, discarded: DiscardedMatch) -> None:
    """Moves a finished match from `match` to `void`, with its record."""
    row = session.exec(select(MatchRow).where(MatchRow.match == discarded.match)).one()
    session.add(_void_row(discarded, row.record))
    for table in (SeatRow, RenegeRow, FaultRow):
        session.execute(delete(table).where(col(table.number) == row.number))
    session.delete(row)


def add_lost(session: Session, matches: Iterable[str], reason: str, at: str, revealed: bool) -> None:
    """Adds rows that say that the host failed an attempt at each of these matches."""
    before = attempts(session)
    for match in matches:
        lost = DiscardedMatch(match, before.get(match, 0) + 1, HOST, reason, at, revealed, record=None)
        session.add(_void_row(lost, None))


def _void_row(void: DiscardedMatch, record: bytes | None) -> VoidRow:
    return VoidRow(
        match=void.match,
        attempt=void.attempt,
        by=void.by,
        reason=void.reason,
        at=void.at,
        revealed=void.revealed,
        record=record,
    )
