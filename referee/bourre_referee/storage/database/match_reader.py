"""Reads the finished matches of a database, many at a time, with a hash of the facts behind the standings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from sys import intern
from typing import Any, NamedTuple

from bourre_referee.model.results import DealResult, MatchResult, SeatResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.database.schema import chips_in
from bourre_referee.storage.database.translation import blocks_in
from bourre_referee.storage.files.bounded_zlib import Unpacking

Row = tuple[Any, ...]
Span = tuple[int, int]
"""The first and the last of consecutive numbers of matches."""

Counts = dict[int, tuple[tuple[str, int], ...]]
"""By seat: what was counted, and how often."""

EVERY: Span = (-(2**62), 2**62)

_MATCH = "number, match, deals, attempt, unit, blocks, sha256, isolation"
_RESULTS = "number, seat, bot, chips, rank, wins, bourres, reneges, faults, house_deals"
_NUMBERS = "SELECT number FROM match WHERE contest = ?"
_TIMINGS = "decisions, total_ms, longest_ms, queue_ms, bot_ms, cpu_ms"
_FACTS, _SEAT_FACTS = 7, 10
"""The number of columns of a match, and of a seat, that standings and ratings depend on."""


class Cells(NamedTuple):
    """The row of a match, and its rows by seat. Their values may have any type."""

    match: Row
    seats: list[Row]
    reneges: list[Row]
    faults: list[Row]

    @property
    def number(self) -> object:
        """The number of the match, as stored."""
        return self.match[0]

    @property
    def name(self) -> str:
        """The id of the match."""
        return str(self.match[1])


@dataclass(frozen=True, slots=True)
class ReadMatch:
    """A finished match without its record."""

    stored: StoredMatch
    result: MatchResult
    facts: bytes
    """SHA-256 of the cells on which standings depend, and of the hash of the record."""


def read_matches(session: RunSession, span: Span = EVERY) -> Iterator[ReadMatch]:
    """Yields the matches with numbers in this span, in order. Raises ValueError for contradictory rows."""
    unpacking = Unpacking()
    for cells in read_cells(session, span):
        stored = stored_match(cells, unpacking)
        yield ReadMatch(stored, _result(cells, stored.blocks), _hash(cells))


def read_results(session: RunSession) -> Iterator[MatchResult]:
    """Yields the result of every match, in order. Raises ValueError for contradictory rows."""
    unpacking = Unpacking()
    for cells in _join(session, EVERY, _MATCH, _RESULTS, faults=False):
        yield _result(cells, blocks_in(cells.match[5], unpacking))


def fact_hashes(session: RunSession) -> Iterator[tuple[int, bytes]]:
    """Yields the number and the hash of the facts of every finished match, in order."""
    for cells in _join(session, EVERY, _MATCH, _RESULTS, faults=False):
        yield cells.match[0], _hash(cells)


def read_cells(session: RunSession, span: Span = EVERY, records: bool = False) -> Iterator[Cells]:
    """Yields the rows of every match in the span, with a few in memory at a time. Records are the last column."""
    return _join(session, span, f"{_MATCH}, record" if records else _MATCH, f"{_RESULTS}, {_TIMINGS}", faults=True)


def stored_match(cells: Cells, unpacking: Unpacking, record: str | None = None) -> StoredMatch:
    """Makes a match of its rows. Raises ValueError for a corrupt value."""
    number, name, deals, attempt, unit, blocks, record_hash, isolation = cells.match[:8]
    by_rule, by_kind = _by_seat(cells.reneges), _by_seat(cells.faults)
    return StoredMatch(
        number=number,
        match=name,
        deals=deals,
        attempt=attempt,
        isolation=_shared(isolation),
        seats=tuple(_stored_seat(seat, by_rule, by_kind) for seat in cells.seats),
        record=record,
        sha256=record_hash,
        unit=unit,
        blocks=blocks_in(blocks, unpacking),
        timings=tuple(SeatTiming(*seat[_SEAT_FACTS:]) for seat in cells.seats),
    )


def find_new(session: RunSession, known: Sequence[int]) -> list[int] | None:
    """Returns the numbers of the new matches; None if a known match is missing. `known` is in order.

    The time does not depend on the number of known matches, unless new ones precede them in the schedule.
    """
    (count,) = next(select(session, "SELECT count(*) FROM match WHERE contest = ?", (session.contest,)))
    last = known[-1] if known else EVERY[0]
    later = [number for (number,) in select(session, f"{_NUMBERS} AND number > ?", (session.contest, last))]
    if len(known) + len(later) == count:
        return sorted(later)
    now = {number for (number,) in select(session, _NUMBERS, (session.contest,))}
    return sorted(now.difference(known)) if now.issuperset(known) else None


def spans_of(numbers: Sequence[int]) -> list[Span]:
    """Returns the spans of consecutive numbers among these, which are in order."""
    spans: list[Span] = []
    for number in numbers:
        if spans and spans[-1][1] + 1 == number:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def _join(session: RunSession, span: Span, match_columns: str, seat_columns: str, faults: bool) -> Iterator[Cells]:
    """Joins the tables by the number of the match. The database would repeat the match's cells for each seat."""

    def in_span(table: str, columns: str, order: str) -> Iterator[Row]:
        query = f"SELECT {columns} FROM {table} WHERE contest = ? AND number BETWEEN ? AND ? ORDER BY {order}"
        return select(session, query, (session.contest, *span))

    seats_of = _take_by_number(in_span("seat", seat_columns, "number, seat"))
    reneges_of = _take_by_number(in_span("renege", "number, seat, rule, times", "number, seat, rule"))
    kinds = in_span("fault", "number, seat, fault, times", "number, seat, fault") if faults else iter(())
    faults_of = _take_by_number(kinds)
    for match in in_span("match", match_columns, "number"):
        number = match[0]
        yield Cells(match, seats_of(number), reneges_of(number), faults_of(number))


def _take_by_number(rows: Iterator[Row]) -> Callable[[int], list[Row]]:
    """Returns a function that takes the rows of the next match. It skips rows without a match."""
    groups = groupby(rows, itemgetter(0))
    end: tuple[float, Iterator[Row]] = (float("inf"), iter(()))
    number, group = next(groups, end)

    def take(wanted: int) -> list[Row]:
        nonlocal number, group
        while number < wanted:
            number, group = next(groups, end)
        return list(group) if number == wanted else []

    return take


def _hash(cells: Cells) -> bytes:
    facts = cells.match[:_FACTS], [seat[:_SEAT_FACTS] for seat in cells.seats], *cells.reneges
    return sha256(repr(facts).encode("utf-8", "surrogatepass")).digest()


def _by_seat(rows: Sequence[Row]) -> Counts:
    if not rows:
        return {}
    return {seat: tuple(row[2:] for row in of_seat) for seat, of_seat in groupby(rows, itemgetter(1))}


def _stored_seat(row: Row, by_rule: Counts, by_kind: Counts) -> StoredSeat:
    _, seat, bot, chips, rank, wins, bourres, reneges, faults, house_deals, *_ = row
    return StoredSeat(
        bot=_shared(bot),
        chips=chips_in(chips),
        rank=rank,
        wins=wins,
        bourres=bourres,
        reneges=reneges,
        faults=faults,
        house_deals=house_deals,
        reneges_by_rule=by_rule.get(seat, ()),
        faults_by_kind=by_kind.get(seat, ()),
    )


def _shared(name: Any) -> Any:
    """Shares one copy in memory of a name that many rows have. An unchecked cell may not be text."""
    return intern(name) if type(name) is str else name


def _result(cells: Cells, blocks: tuple[DealResult, ...]) -> MatchResult:
    _, name, deals, _, unit, *_ = cells.match
    by_rule = _by_seat(cells.reneges)
    return MatchResult(name, deals, tuple(_seat_result(seat, by_rule) for seat in cells.seats), unit, blocks)


def _seat_result(row: Row, by_rule: Counts) -> SeatResult:
    _, seat, bot, chips, rank, wins, bourres, reneges, faults, house_deals, *_ = row
    broken = by_rule.get(seat, ())
    return SeatResult(_shared(bot), chips_in(chips), rank, wins, bourres, reneges, faults, house_deals, broken)
