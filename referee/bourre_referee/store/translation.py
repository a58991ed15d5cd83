"""Outcomes to rows and back: the only place that knows both."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256

from bourre_referee.results import MatchResult, SeatResult
from bourre_referee.spec import MatchOutcome
from bourre_referee.store.rows import FaultRow, MatchRow, SeatRow


def match_row(number: int, attempt: int, outcome: MatchOutcome) -> MatchRow:
    """The match itself, its record compressed."""
    record = outcome.record.encode()
    return MatchRow(
        number=number,
        match=outcome.result.match,
        deals=outcome.result.deals,
        attempt=attempt,
        record=zlib.compress(record, 9),
        sha256=sha256(record).digest(),
    )


def record_in(row: MatchRow) -> str:
    """The record as it was written; ValueError when it is no longer what it was."""
    try:
        record = zlib.decompress(row.record)
    except zlib.error as error:
        raise ValueError(f"the record of {row.match} is damaged ({error})") from error
    if sha256(record).digest() != row.sha256:
        raise ValueError(f"the record of {row.match} was changed after the match")
    return record.decode()


def seat_rows(number: int, outcome: MatchOutcome) -> Iterator[SeatRow]:
    """What each seat made of the match."""
    for seat, (result, timing) in enumerate(zip(outcome.result.seats, outcome.timings, strict=True)):
        yield SeatRow(
            number=number,
            seat=seat,
            bot=result.bot,
            chips=result.chips,
            rank=result.rank,
            wins=result.wins,
            bourres=result.bourres,
            reneges=result.reneges,
            faults=result.faults,
            house_deals=result.house_deals,
            decisions=timing.decisions,
            total_ms=timing.total_ms,
            longest_ms=timing.longest_ms,
        )


def match_result(match: str, deals: int, seats: Iterable[SeatRow]) -> MatchResult:
    """What a match counts for, its seats in order; ValueError when the rows contradict each other."""
    return MatchResult(match, deals, tuple(map(_seat_result, seats)))


def _seat_result(row: SeatRow) -> SeatResult:
    return SeatResult(
        bot=row.bot,
        chips=row.chips,
        rank=row.rank,
        wins=row.wins,
        bourres=row.bourres,
        reneges=row.reneges,
        faults=row.faults,
        house_deals=row.house_deals,
    )


def fault_rows(number: int, outcome: MatchOutcome) -> Iterator[FaultRow]:
    """Each kind of fault of each seat."""
    for fault in outcome.faults:
        yield FaultRow(number=number, seat=fault.seat, fault=fault.fault.value, times=fault.times)
