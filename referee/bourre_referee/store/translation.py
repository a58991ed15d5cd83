"""Outcomes to rows and back: the only place that knows both."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from bourre_referee.results import MatchResult, SeatResult
from bourre_referee.spec import MatchOutcome
from bourre_referee.store.rows import FaultRow, MatchRow, RenegeRow, SeatRow

Broken = Mapping[tuple[int, int], list[tuple[str, int]]]
"""The rules that each seat broke in each match, with how often, by match number and seat."""


def match_row(number: int, attempt: int, outcome: MatchOutcome) -> MatchRow:
    """The match itself, its record compressed."""
    record = outcome.record.encode()
    return MatchRow(
        number=number,
        match=outcome.result.match,
        deals=outcome.result.deals,
        attempt=attempt,
        isolation=outcome.isolation.value,
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
            queue_ms=timing.queue_ms,
            bot_ms=timing.bot_ms,
            cpu_ms=timing.cpu_ms,
        )


def match_result(match: str, deals: int, seats: Iterable[SeatRow], broken: Broken) -> MatchResult:
    """What a match counts for, its seats in order; ValueError when the rows contradict each other."""
    return MatchResult(match, deals, tuple(_seat_result(row, broken) for row in seats))


def _seat_result(row: SeatRow, broken: Broken) -> SeatResult:
    return SeatResult(
        bot=row.bot,
        chips=row.chips,
        rank=row.rank,
        wins=row.wins,
        bourres=row.bourres,
        reneges=row.reneges,
        faults=row.faults,
        house_deals=row.house_deals,
        broken=tuple(broken.get((row.number, row.seat), ())),
    )


def renege_rows(number: int, outcome: MatchOutcome) -> Iterator[RenegeRow]:
    """Each rule that each seat broke."""
    for seat, result in enumerate(outcome.result.seats):
        for rule, times in result.broken:
            yield RenegeRow(number=number, seat=seat, rule=rule, times=times)


def broken_rules(rows: Iterable[RenegeRow]) -> Broken:
    """These rows, which come in the order of the rules, by match and seat."""
    broken: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        broken[row.number, row.seat].append((row.rule, row.times))
    return broken


def fault_rows(number: int, outcome: MatchOutcome) -> Iterator[FaultRow]:
    """Each kind of fault of each seat."""
    for fault in outcome.faults:
        yield FaultRow(number=number, seat=fault.seat, fault=fault.fault.value, times=fault.times)
