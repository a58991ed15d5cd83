"""Counts the results of a match that was played again from its record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bourre.record import DealRecord, Record
from bourre.record.counters import Counters, SeatCounts
from bourre.record.played_record import PlayedRecord, play_text
from bourre.rules.actions import HandOver, Unasked
from bourre.rules.events import AntePaid, CardPlayed, Event, FinePaid, MatchPaid
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


def recount(played: PlayedRecord, baseline: Baseline | None, lessons: Sequence[BotLessons] = ()) -> Recount:
    """Counts the results of a record that was played again.

    The `baseline` of the contest's terms, and the lessons with which the match begins, decide how luck is computed.
    Line-ups of a duplicate are used as written, because `verify` checks them.
    """
    seats, duplicate = len(played.record.header.bots), played.record.header.format == "duplicate"
    tallies = [_Tally(seats, events) for events in played.events]
    if duplicate:
        return _recount_duplicate(played, tallies, baseline, lessons)
    return _make_recount(played.record, played.record.final, tallies[0].counters.seats, tallies)


def boards_of(played: PlayedRecord) -> list[PlayedBoard]:
    """Returns the boards of a duplicate match that was played again."""
    seats = len(played.record.header.bots)
    return [_board(deal, events, seats) for deal, events in zip(played.record.deals, played.events, strict=True)]


def _board(deal: DealRecord, events: list[Event], seats: int) -> PlayedBoard:
    observer = LuckRecorder(seats)
    observer.hear(events)
    return observer.board(deal.deal, deal.line_up or ())


def recount_in_order(records: Iterable[str], baseline: Baseline | None) -> Iterator[Recount]:
    """Recounts all matches of a duplicate contest, whose records come in schedule order."""
    schools = Schools()
    for played in map(play_text, records):
        bots = played.record.header.bots
        yield recount(played, baseline, schools.lessons(bots))
        if schools.pupils(bots):
            schools.add(bots, boards_of(played), played.record.header.house)


_NO_DECISION = frozenset({Unasked, HandOver})
_PAID = (AntePaid, MatchPaid, FinePaid)
"""A constant, because a union type would be built again for every event."""


class _Tally:
    """The counts of a match that was played again, or of one deal of a duplicate in one seating."""

    def __init__(self, seats: int, events: list[Event]) -> None:
        self.counters = Counters(seats)
        self.counters.hear(events)
        self.chips = sum(
            [event.chips for event in events if type(event) is not CardPlayed and isinstance(event, _PAID)]
        )


def _recount_duplicate(
    played: PlayedRecord, tallies: list[_Tally], baseline: Baseline | None, lessons: Sequence[BotLessons]
) -> Recount:
    record = played.record
    header, seats = record.header, len(record.header.bots)
    lucks = luck_of_match(boards_of(played), header.house, header.seed, baseline, lessons)
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
        decisions=sum(type(action) not in _NO_DECISION for deal in record.deals for _, action in deal.actions),
        reneges=sum(seat.reneges for seat in seats),
        faults=sum(seat.faults for seat in seats),
        chips=sum(tally.chips for tally in tallies),
    )
    return Recount(result, tuple(map(_stored_seat, seats, seat_tallies)), amounts)


def _stored_seat(seat: SeatResult, tally: SeatCounts) -> StoredSeat:
    """Makes the database row of a seat: its result, and its faults by kind."""
    by_kind = tuple(sorted((fault.value, times) for fault, times in tally.faults.items()))
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
        faults_by_kind=by_kind,
    )
