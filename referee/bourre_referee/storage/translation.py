"""Translates outcomes into rows and back; only this file knows both."""

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
"""By match number and seat: the rules that the seat broke, and how often."""


def match_row(number: int, attempt: int, outcome: MatchOutcome) -> MatchRow:
    """Makes the row of the match itself, with its record compressed."""
    record = outcome.record.encode()
    return MatchRow(
        number=number,
        match=outcome.result.match,
        deals=outcome.result.deals,
        attempt=attempt,
        isolation=outcome.isolation.value,
        unit=outcome.result.unit,
        blocks=_pack(outcome.result.blocks),
        record=zlib.compress(record, 9),
        sha256=sha256(record).digest(),
    )


def record_in(row: MatchRow) -> str:
    """Reads the record of a match; raises ValueError if it is damaged or changed."""
    try:
        record = Unpacking().unpack(row.record)
    except ValueError as error:
        raise ValueError(f"the record of {row.match} is damaged ({error})") from error
    if sha256(record).digest() != row.sha256:
        raise ValueError(f"the record of {row.match} was changed after the match")
    return record.decode()


def seat_rows(number: int, outcome: MatchOutcome) -> Iterator[SeatRow]:
    """Makes a row for each seat."""
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


def _pack(blocks: Iterable[DealResult]) -> bytes | None:
    pairs = [[block.chips, block.luck] for block in blocks]
    return zlib.compress(json.dumps(pairs, separators=(",", ":")).encode(), 9) if pairs else None


def blocks_in(packed: bytes | None, unpacking: Unpacking) -> tuple[DealResult, ...]:
    """Reads the results of a duplicate match's deals; raises ValueError if they are damaged."""
    if packed is None:
        return ()
    try:
        found = json.loads(unpacking.unpack(packed))
        return tuple(DealResult(_numbers(chips), _numbers(luck)) for chips, luck in found)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the results of its deals are damaged ({error})") from error


def _numbers(found: Iterable[object]) -> tuple[int, ...]:
    numbers = tuple(number for number in found if type(number) is int)
    if len(numbers) < len(tuple(found)):
        raise ValueError("they contain something other than whole numbers")
    return numbers


class Facts(NamedTuple):
    """The columns from which the result of a match is computed."""

    number: int
    match: str
    deals: int
    unit: int
    blocks: bytes | None


class SeatFacts(NamedTuple):
    """The columns from which the result of a seat is computed."""

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
    """Computes the result of a match from its seats, in order; raises ValueError if the rows contradict each other."""
    return MatchResult(facts.match, facts.deals, tuple(seats), facts.unit, blocks_in(facts.blocks, unpacking))


def seat_result_of(facts: SeatFacts, broken: Broken) -> SeatResult:
    """Computes the result of one seat."""
    return SeatResult(
        bot=intern(facts.bot),
        chips=facts.chips,
        rank=facts.rank,
        wins=facts.wins,
        bourres=facts.bourres,
        reneges=facts.reneges,
        faults=facts.faults,
        house_deals=facts.house_deals,
        reneges_by_rule=tuple(broken.get((facts.number, facts.seat), ())),
    )


def renege_rows(number: int, outcome: MatchOutcome) -> Iterator[RenegeRow]:
    """Makes a row for each rule that each seat broke."""
    for seat, result in enumerate(outcome.result.seats):
        for rule, times in result.reneges_by_rule:
            yield RenegeRow(number=number, seat=seat, rule=rule, times=times)


def broken_rules(rows: Iterable[RenegeRow]) -> Broken:
    """Groups these rows, which are in the order of the rules, by match and seat."""
    broken: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        broken[row.number, row.seat].append((row.rule, row.times))
    return broken


def fault_rows(number: int, outcome: MatchOutcome) -> Iterator[FaultRow]:
    """Makes a row for each kind of fault of each seat."""
    for fault in outcome.faults:
        yield FaultRow(number=number, seat=fault.seat, fault=fault.fault.value, times=fault.times)
