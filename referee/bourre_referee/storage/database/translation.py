"""Translates outcomes into rows and back; only this file knows both."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from bourre_referee.model.packed_text import PackedText
from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.storage.database.packed_records import check_header
from bourre_referee.storage.database.run_session import Cells
from bourre_referee.storage.files.bounded_zlib import Unpacking


def match_cells(number: int, attempt: int, outcome: MatchOutcome) -> Cells:
    """Makes the row of the match itself, with its record compressed."""
    assert outcome.packed, "a board is no match"
    return Cells(
        number=number,
        match=outcome.result.match,
        deals=outcome.result.deals,
        attempt=attempt,
        isolation=outcome.isolation.value,
        unit=outcome.result.unit,
        blocks=packed_blocks(outcome.result.blocks),
        record=outcome.packed.content,
        sha256=outcome.packed.sha256,
    )


def record_in(match: str, stored: PackedText, bots: Sequence[str] | None = None) -> str:
    """Reads the record of a match. Raises ValueError if it is damaged or changed, or has other bots."""
    try:
        record = Unpacking().unpack(stored.content)
        if bots is not None:
            check_header(record.decode(), match, bots)
    except ValueError as error:
        raise ValueError(f"the record of {match} is damaged ({error})") from error
    if sha256(record).digest() != stored.sha256:
        raise ValueError(f"the record of {match} was changed after the match")
    return record.decode()


def seat_cells(number: int, outcome: MatchOutcome) -> Iterator[Cells]:
    """Makes a row for each seat."""
    for seat, (result, timing) in enumerate(zip(outcome.result.seats, outcome.timings, strict=True)):
        yield Cells(
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


def packed_blocks(blocks: Iterable[DealResult]) -> bytes | None:
    """Packs the results of a duplicate match's deals. None if there are none."""
    pairs = [[block.chips, block.luck] for block in blocks]
    return zlib.compress(json.dumps(pairs, separators=(",", ":")).encode(), 9) if pairs else None


def blocks_in(packed: bytes | None, unpacking: Unpacking) -> tuple[DealResult, ...]:
    """Reads the results of a duplicate match's deals. Raises ValueError if they are damaged."""
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


def renege_cells(number: int, outcome: MatchOutcome) -> Iterator[Cells]:
    """Makes a row for each rule that each seat broke."""
    for seat, result in enumerate(outcome.result.seats):
        for rule, times in result.reneges_by_rule:
            yield Cells(number=number, seat=seat, rule=rule, times=times)


def fault_cells(number: int, outcome: MatchOutcome) -> Iterator[Cells]:
    """Makes a row for each kind of fault of each seat."""
    for fault in outcome.faults:
        yield Cells(number=number, seat=fault.seat, fault=fault.fault.value, times=fault.times)
