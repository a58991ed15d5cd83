"""Replays a match from its record by the rules and recounts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bourre.counters import Counters, SeatTally
from bourre.record import Record, Step, replay
from bourre.rules.actions import HandOver, Unasked
from bourre.rules.events import AntePaid, FinePaid, MatchPaid
from bourre.rules.pot import UNIT
from bourre_referee.model.duplicate import block_of
from bourre_referee.model.luck import Observer, luck
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of, seat_result
from bourre_referee.model.stored import StoredSeat


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much was replayed."""

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
class Counted:
    """A match as its record and the rules determine it."""

    result: MatchResult
    seats: tuple[StoredSeat, ...]
    """The database rows that follow from the record."""
    amounts: Amounts


def counted(record: Record) -> Counted:
    """Replays every card and decision of this record; raises RecordError at the first that is wrong.

    In format `duplicate` the line-ups are taken as written: `verify` checks them.
    """
    seats, duplicate = len(record.header.bots), record.header.format == "duplicate"
    playings: list[_Playing] = []
    for step in replay(record):
        if step.action is None:  # the match begins, or in format `duplicate` the next deal
            playings.append(_Playing(seats, duplicate))
        playings[-1].hear(step)
    return _in_duplicate(record, playings) if duplicate else _in_session(record, playings[0])


class _Playing:
    """A replay in progress: of a match, or in format `duplicate` of one deal in one seating."""

    def __init__(self, seats: int, by_itself: bool) -> None:
        self.tally = Counters(seats)
        self.observer = Observer(seats) if by_itself else None
        self.decisions = 0
        self.chips = 0

    def hear(self, step: Step) -> None:
        self.tally.hear(step.events)
        if self.observer:
            self.observer.hear(step.events)
        self.decisions += step.action is not None and not isinstance(step.action, Unasked | HandOver)
        self.chips += sum(event.chips for event in step.events if isinstance(event, AntePaid | MatchPaid | FinePaid))


def _in_session(record: Record, playing: _Playing) -> Counted:
    return _counted(record, record.final, playing.tally.seats, [playing])


def _in_duplicate(record: Record, playings: list[_Playing]) -> Counted:
    header, seats = record.header, len(record.header.bots)
    drawings = [playing.observer.drawing() for playing in playings if playing.observer]
    lucks = [luck(drawing, seats, header.house, header.seed) for drawing in drawings]
    firsts = range(0, len(playings), seats)
    blocks = tuple(block_of(record.deals[first : first + seats], lucks[first : first + seats]) for first in firsts)
    tallies = [SeatTally() for _ in range(seats)]
    for deal, playing in zip(record.deals, playings, strict=True):
        for seat, bot in enumerate(deal.line_up or ()):
            tallies[bot] += playing.tally.seats[seat]
    return _counted(record, record.final, tallies, playings, UNIT, blocks)


def _counted(
    record: Record,
    chips: Sequence[int],
    tallies: Sequence[SeatTally],
    playings: Sequence[_Playing],
    unit: int = 1,
    blocks: tuple[DealResult, ...] = (),
) -> Counted:
    header = record.header
    seats = tuple(map(seat_result, header.bots, chips, ranks_of(chips), tallies))
    result = MatchResult(header.match, header.deals, seats, unit, blocks)
    amounts = Amounts(
        deals=len(record.deals),
        decisions=sum(playing.decisions for playing in playings),
        reneges=sum(seat.reneges for seat in seats),
        faults=sum(seat.faults for seat in seats),
        chips=sum(playing.chips for playing in playings),
    )
    return Counted(result, tuple(map(_row, seats, tallies)), amounts)


def _row(seat: SeatResult, tally: SeatTally) -> StoredSeat:
    """Makes the database row of a seat: its result, and its faults by kind."""
    values = asdict(seat)
    by_rule = values.pop("broken")
    by_kind = tuple(sorted((fault.value, times) for fault, times in tally.faults.items()))
    return StoredSeat(**values, reneges_by_rule=by_rule, faults_by_kind=by_kind)
