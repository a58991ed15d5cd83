"""Outcomes to rows and back: the only place that knows both."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from sys import intern
from typing import NamedTuple

from bourre_referee.model.results import DealResult, MatchResult, SeatResult
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.storage.packed import Unpacking
from bourre_referee.storage.schema import FaultRow, MatchRow, RenegeRow, SeatRow

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
        unit=outcome.result.unit,
        blocks=_packed(outcome.result.blocks),
        record=zlib.compress(record, 9),
        sha256=sha256(record).digest(),
    )


def record_in(row: MatchRow) -> str:
    """The record as it was written; ValueError when it is no longer what it was."""
    try:
        record = Unpacking().unpacked(row.record)
    except ValueError as error:
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


def _packed(blocks: Iterable[DealResult]) -> bytes | None:
    found = [[block.chips, block.luck] for block in blocks]
    return zlib.compress(json.dumps(found, separators=(",", ":")).encode(), 9) if found else None


def blocks_in(packed: bytes | None, unpacking: Unpacking) -> tuple[DealResult, ...]:
    """The results of the deals of a duplicate match; ValueError when they are damaged."""
    if packed is None:
        return ()
    try:
        found = json.loads(unpacking.unpacked(packed))
        return tuple(DealResult(_numbers(chips), _numbers(luck)) for chips, luck in found)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the results of its deals are damaged ({error})") from error


def _numbers(found: Iterable[object]) -> tuple[int, ...]:
    numbers = tuple(number for number in found if type(number) is int)
    if len(numbers) < len(tuple(found)):
        raise ValueError("something in them is no whole number")
    return numbers


class Facts(NamedTuple):
    """The columns of a match that its result is made of."""

    number: int
    match: str
    deals: int
    unit: int
    blocks: bytes | None


class SeatFacts(NamedTuple):
    """The columns of a seat that its result is made of."""

    number: int
    seat: int
    bot: str
    chips: int
    rank: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int


def match_result(facts: Facts, seats: Iterable[SeatResult], unpacking: Unpacking) -> MatchResult:
    """What a match counts for, its seats in order; ValueError when the rows contradict each other."""
    return MatchResult(facts.match, facts.deals, tuple(seats), facts.unit, blocks_in(facts.blocks, unpacking))


def seat_result_of(facts: SeatFacts, broken: Broken) -> SeatResult:
    """What one seat made of a match."""
    return SeatResult(
        bot=intern(facts.bot),
        chips=facts.chips,
        rank=facts.rank,
        wins=facts.wins,
        bourres=facts.bourres,
        reneges=facts.reneges,
        faults=facts.faults,
        house_deals=facts.house_deals,
        broken=tuple(broken.get((facts.number, facts.seat), ())),
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
