"""Reads many finished matches at once, without their records, and tells what in them the standings depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from sys import intern
from typing import Any

from sqlmodel import Session

from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.storage.packed import Unpacking
from bourre_referee.storage.schema import Chips
from bourre_referee.storage.translation import blocks_in

Row = tuple[Any, ...]
Span = tuple[int, int]
"""The first and the last of consecutive numbers of matches."""

EVERY: Span = (-(2**62), 2**62)

_MATCHES = "SELECT number, match, deals, attempt, unit, blocks, sha256, isolation FROM match"
_RESULTS = "number, seat, bot, chips, rank, wins, bourres, reneges, faults, house_deals"
_TIMINGS = "decisions, total_ms, longest_ms, queue_ms, bot_ms, cpu_ms"
_IN_SPAN = "WHERE number BETWEEN ? AND ?"
_FACTS, _SEAT_FACTS = 7, 10
"""How many columns of a match and of a seat are facts that standings and ratings depend on."""


@dataclass(frozen=True, slots=True)
class ReadMatch:
    """A finished match without its record."""

    stored: StoredMatch
    result: MatchResult
    facts: bytes
    """SHA-256 of the cells on which standings depend, and of the hash of the record."""


def read_matches(session: Session, span: Span = EVERY) -> Iterator[ReadMatch]:
    """Yields the matches with numbers in this span, in order; raises ValueError for rows that contradict each other."""
    unpacking = Unpacking()
    broken, faults = _counts(session, "renege", "rule", span), _counts(session, "fault", "fault", span)
    for match, seats in _rows(session, f"{_RESULTS}, {_TIMINGS}", span):
        reneges = broken.get(match[0], ())
        yield _read_match(match, seats, reneges, faults.get(match[0], ()), unpacking)


def fact_hashes(session: Session) -> Iterator[tuple[int, bytes]]:
    """Yields the number and the hash of the facts of every finished match, in order."""
    broken = _counts(session, "renege", "rule", EVERY)
    for match, seats in _rows(session, _RESULTS, EVERY):
        yield match[0], _hash(match, seats, broken.get(match[0], ()))


def find_new(session: Session, known: Sequence[int]) -> list[int] | None:
    """Finds the numbers of the matches that are not yet known, which come in order; None if a known one is missing.

    This takes no longer with many known matches, unless new ones have finished before older ones in the schedule.
    """
    (count,) = next(_select(session, "SELECT count(*) FROM match"))
    last = known[-1] if known else EVERY[0]
    later = [number for (number,) in _select(session, f"SELECT number FROM match WHERE number > {last:d}")]
    if len(known) + len(later) == count:
        return sorted(later)
    now = {number for (number,) in _select(session, "SELECT number FROM match")}
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


def _select(session: Session, query: str, values: Row = ()) -> Iterator[Row]:
    """Runs a query without SQLAlchemy's rows, which would take most of the time."""
    connection: Any = session.connection().connection.driver_connection
    rows: Iterator[Row] = connection.execute(query, values)
    return rows


def _rows(session: Session, seat_columns: str, span: Span) -> Iterator[tuple[Row, list[Row]]]:
    """Yields the row of every match in the span with those of its seats."""
    seats = _select(session, f"SELECT {seat_columns} FROM seat {_IN_SPAN} ORDER BY number, seat", span)
    by_match = groupby(seats, itemgetter(0))
    number, of_match = next(by_match, (None, iter(())))
    for match in _select(session, f"{_MATCHES} {_IN_SPAN} ORDER BY number", span):
        if number != match[0]:
            yield match, []
            continue
        yield match, list(of_match)
        number, of_match = next(by_match, (None, iter(())))


def _counts(session: Session, table: str, kind: str, span: Span) -> dict[int, list[Row]]:
    """Reads the rows of reneges or faults by the number of their match."""
    query = f"SELECT number, seat, {kind}, times FROM {table} {_IN_SPAN} ORDER BY number, seat, {kind}"
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in _select(session, query, span):
        found[row[0]].append(row)
    return found


def _hash(match: Row, seats: Sequence[Row], broken: Sequence[Row]) -> bytes:
    facts = match[:_FACTS], [seat[:_SEAT_FACTS] for seat in seats], *broken
    return sha256(repr(facts).encode("utf-8", "surrogatepass")).digest()


def _read_match(
    match: Row, seats: Sequence[Row], broken: Sequence[Row], faults: Sequence[Row], unpacking: Unpacking
) -> ReadMatch:
    number, name, deals, attempt, unit, blocks, record_hash, isolation = match
    by_rule, by_kind = _by_seat(broken), _by_seat(faults)
    results = tuple(_seat_result(seat, by_rule.get(seat[1], ())) for seat in seats)
    result = MatchResult(name, deals, results, unit, blocks_in(blocks, unpacking))
    stored = StoredMatch(
        number=number,
        match=name,
        deals=deals,
        attempt=attempt,
        isolation=intern(isolation),
        seats=tuple(_stored_seat(one, by_kind.get(place, ())) for place, one in enumerate(results)),
        record=None,
        sha256=record_hash,
        unit=unit,
        blocks=result.blocks,
        timings=tuple(SeatTiming(*seat[_SEAT_FACTS:]) for seat in seats),
    )
    return ReadMatch(stored, result, _hash(match, seats, broken))


def _by_seat(rows: Sequence[Row]) -> dict[int, tuple[tuple[str, int], ...]]:
    return {seat: tuple(row[2:] for row in of_seat) for seat, of_seat in groupby(rows, itemgetter(1))}


def _seat_result(row: Row, broken: tuple[tuple[str, int], ...]) -> SeatResult:
    bot, chips, rank, wins, bourres, reneges, faults, house_deals = row[2:_SEAT_FACTS]
    return SeatResult(intern(bot), _chips(chips), rank, wins, bourres, reneges, faults, house_deals, broken)


def _chips(text: str) -> int:
    chips = Chips().process_result_value(text, None)  # type: ignore[arg-type]
    assert chips is not None, "the cell was checked"
    return chips


def _stored_seat(seat: SeatResult, faults: tuple[tuple[str, int], ...]) -> StoredSeat:
    return StoredSeat(
        bot=seat.bot,
        chips=seat.chips,
        rank=seat.rank,
        wins=seat.wins,
        bourres=seat.bourres,
        reneges=seat.reneges,
        faults=seat.faults,
        house_deals=seat.house_deals,
        reneges_by_rule=seat.reneges_by_rule,
        faults_by_kind=faults,
    )
