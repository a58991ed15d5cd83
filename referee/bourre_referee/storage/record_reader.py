"""Reads finished matches with their records, for checks and exports; the other tables for many matches at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Row, select
from sqlmodel import Session, col

from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.storage.packed import Damaged, Unpacking
from bourre_referee.storage.schema import FaultRow, MatchRow, RenegeRow, SeatRow
from bourre_referee.storage.translation import blocks_in

NEARBY = 64
"""The rows of so many matches in a row are read at once: a query takes longer than the rows of a match."""

Counts = dict[int, list[tuple[str, int]]]
"""By seat: what was counted, and how often."""


def match_rows(session: Session) -> Iterator[MatchRow]:
    """Yields every match in schedule order, one at a time."""
    rows = session.execute(select(MatchRow).order_by(col(MatchRow.number)), execution_options={"yield_per": 1})
    yield from rows.scalars()


class RecordReader:
    """Reads matches with all their rows, which must be asked for in schedule order."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._end = 0
        """The first number whose rows are not read yet."""
        self._seats: dict[int, list[Row[Any]]] = {}
        self._reneges: dict[int, list[Row[Any]]] = {}
        self._faults: dict[int, list[Row[Any]]] = {}

    def stored_match(self, row: MatchRow) -> StoredMatch:
        """Reads the match of this row; raises ValueError for a corrupt value."""
        if row.number >= self._end:
            self._read_from(row.number)
        by_rule = _by_seat(self._reneges.get(row.number, ()))
        by_kind = _by_seat(self._faults.get(row.number, ()))
        seats = self._seats.get(row.number, ())
        return StoredMatch(
            number=row.number,
            match=row.match,
            deals=row.deals,
            attempt=row.attempt,
            isolation=row.isolation,
            seats=tuple(_stored_seat(seat, by_rule, by_kind) for seat in seats),
            record=record_if_readable(row.record, Unpacking()),
            sha256=row.sha256,
            unit=row.unit,
            blocks=blocks_in(row.blocks, Unpacking()),
            timings=tuple(map(_timing, seats)),
        )

    def _read_from(self, first: int) -> None:
        """Reads the rows of the next matches; only of the first, if a row of them is corrupt."""
        try:
            self._read(first, first + NEARBY)
        except ValueError:
            self._read(first, first + 1)

    def _read(self, first: int, end: int) -> None:
        self._seats = self._rows(SeatRow, first, end, col(SeatRow.seat))
        self._reneges = self._rows(RenegeRow, first, end, col(RenegeRow.rule))
        self._faults = self._rows(FaultRow, first, end, col(FaultRow.fault))
        self._end = end

    def _rows(
        self, table: type[SeatRow | RenegeRow | FaultRow], first: int, end: int, order: Any
    ) -> dict[int, list[Row[Any]]]:
        """Reads the rows of these matches in this order, as columns, which take less time than objects."""
        number = col(table.number)
        columns = (getattr(table, name) for name in table.model_fields)
        rows = self._session.execute(select(*columns).where(number >= first, number < end).order_by(order))
        by_match: defaultdict[int, list[Row[Any]]] = defaultdict(list)
        for row in rows:
            by_match[row.number].append(row)
        return by_match


def _by_seat(rows: Iterable[Row[Any]]) -> Counts:
    """Groups rows of reneges or faults."""
    by_seat: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        _, seat, what, times = tuple(row)
        by_seat[seat].append((what, times))
    return by_seat


def _stored_seat(row: Row[Any], by_rule: Counts, by_kind: Counts) -> StoredSeat:
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


def _timing(row: Row[Any]) -> SeatTiming:
    return SeatTiming(row.decisions, row.total_ms, row.longest_ms, row.queue_ms, row.bot_ms, row.cpu_ms)


def record_if_readable(packed: bytes, unpacking: Unpacking) -> str | None:
    """Unpacks a stored record; None if it is too damaged to read. Raises ValueError if no run could have stored it."""
    try:
        return unpacking.unpack(packed).decode()
    except (Damaged, UnicodeDecodeError):
        return None
    except ValueError as error:
        raise ValueError(f"no run stores such a record ({error})") from error
