"""Replays a match from its record by the rules, and counts its results again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from bourre.record import Record, Step, replay
from bourre.record.counters import Counters, SeatCounts
from bourre.rules.actions import HandOver, Unasked
from bourre.rules.events import AntePaid, FinePaid, MatchPaid
from bourre.rules.pot import UNIT
from bourre_referee.contest.duplicate import block_of
from bourre_referee.luck import Baseline, BotLessons, LuckRecorder, PlayedBoard, Schools, luck_of_match
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of, seat_result
from bourre_referee.model.stored import StoredSeat


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts that a replay went through."""

    deals: int = 0
    decisions: int = 0
    reneges: int = 0
    faults: int = 0
    chips: int = 0
    """Chips paid into pots."""

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(
            self.deals + other.deals,
            self.decisions + other.decisions,
            self.reneges + other.reneges,
            self.faults + other.faults,
            self.chips + other.chips,
        )


@dataclass(frozen=True, slots=True)
class Recount:
    """A match as its record and the rules determine it."""

    result: MatchResult
    seats: tuple[StoredSeat, ...]
    """The database rows that follow from the record."""
    amounts: Amounts


def recount(record: Record, baseline: Baseline | None, lessons: Sequence[BotLessons] = ()) -> Recount:
    """Replays every card and decision of this record. Raises RecordError at the first that is wrong.

    The `baseline` of the contest's terms, and the lessons with which the match begins, decide how luck is computed.
    Line-ups of a duplicate are used as written, because `verify` checks them.
    """
    tallies = _replay(record)
    if record.header.format == "duplicate":
        return _recount_duplicate(record, tallies, baseline, lessons)
    return _recount_session(record, tallies[0])


def boards_of(record: Record) -> list[PlayedBoard]:
    """Replays a duplicate match, and returns its boards. Raises RecordError likewise."""
    return _boards(record, _replay(record))


def _replay(record: Record) -> list[_Tally]:
    seats, duplicate = len(record.header.bots), record.header.format == "duplicate"
    tallies: list[_Tally] = []
    for step in replay(record):
        if step.action is None:  # the match begins, or in format `duplicate` the next deal
            tallies.append(_Tally(seats, duplicate))
        tallies[-1].hear(step)
    return tallies


def recount_in_order(records: Iterable[Record], baseline: Baseline | None) -> Iterator[Recount]:
    """Recounts all matches of a duplicate contest, whose records come in schedule order."""
    schools = Schools()
    for record in records:
        bots = record.header.bots
        yield recount(record, baseline, schools.lessons(bots))
        if schools.pupils(bots):
            schools.add(bots, boards_of(record), record.header.house)


_NO_DECISION = (type(None), Unasked, HandOver)
_PAID = (AntePaid, MatchPaid, FinePaid)
"""A constant, because a union type would be built again for every event."""


class _Tally:
    """The counts of a replayed match, or of one deal of a duplicate in one seating."""

    def __init__(self, seats: int, duplicate: bool) -> None:
        self.counters = Counters(seats)
        self.observer = LuckRecorder(seats) if duplicate else None
        self.decisions = 0
        self.chips = 0

    def hear(self, step: Step) -> None:
        self.counters.hear(step.events)
        if self.observer:
            self.observer.hear(step.events)
        self.decisions += type(step.action) not in _NO_DECISION
        for event in step.events:
            if isinstance(event, _PAID):
                self.chips += event.chips


def _recount_session(record: Record, tally: _Tally) -> Recount:
    return _make_recount(record, record.final, tally.counters.seats, [tally])


def _boards(record: Record, tallies: list[_Tally]) -> list[PlayedBoard]:
    return [
        tally.observer.board(deal.deal, deal.line_up or ())
        for deal, tally in zip(record.deals, tallies, strict=True)
        if tally.observer
    ]


def _recount_duplicate(
    record: Record, tallies: list[_Tally], baseline: Baseline | None, lessons: Sequence[BotLessons]
) -> Recount:
    header, seats = record.header, len(record.header.bots)
    lucks = luck_of_match(_boards(record, tallies), header.house, header.seed, baseline, lessons)
    firsts = range(0, len(tallies), seats)
    blocks = tuple(block_of(record.deals[first : first + seats], lucks[first : first + seats]) for first in firsts)
    by_bot = [SeatCounts() for _ in range(seats)]
    for deal, tally in zip(record.deals, tallies, strict=True):
        for seat, bot in enumerate(deal.line_up or ()):
            by_bot[bot] += tally.counters.seats[seat]
    return _make_recount(record, record.final, by_bot, tallies, UNIT, blocks)


def _make_recount(
    record: Record,
    chips: Sequence[int],
    seat_tallies: Sequence[SeatCounts],
    tallies: Sequence[_Tally],
    unit: int = 1,
    blocks: tuple[DealResult, ...] = (),
) -> Recount:
    header = record.header
    seats = tuple(map(seat_result, header.bots, chips, ranks_of(chips), seat_tallies))
    result = MatchResult(header.match, header.deals, seats, unit, blocks)
    amounts = Amounts(
        deals=len(record.deals),
        decisions=sum(tally.decisions for tally in tallies),
        reneges=sum(seat.reneges for seat in seats),
        faults=sum(seat.faults for seat in seats),
        chips=sum(tally.chips for tally in tallies),
    )
    return Recount(result, tuple(map(_stored_seat, seats, seat_tallies)), amounts)


def _stored_seat(seat: SeatResult, tally: SeatCounts) -> StoredSeat:
    """Makes the database row of a seat: its result, and its faults by kind."""
    by_kind = tuple(sorted((fault.value, times) for fault, times in tally.faults.items()))
    return StoredSeat(**asdict(seat), faults_by_kind=by_kind)
