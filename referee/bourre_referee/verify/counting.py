"""What a record proves: its match played again by the rules, and counted."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.record import Record, RecordError, read, replay
from bourre.rules.actions import HandOver, Unasked
from bourre.rules.events import AntePaid, FinePaid, MatchPaid
from bourre.tally import SeatTally, Tally
from bourre_referee.kept import KeptSeat
from bourre_referee.results import MatchResult, SeatResult, ranks_of
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.place import Place


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much was checked."""

    deals: int = 0
    decisions: int = 0
    reneges: int = 0
    faults: int = 0
    chips: int = 0
    """Paid into pots."""

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
    """A match as its record and the rules have it."""

    result: MatchResult
    seats: tuple[KeptSeat, ...]
    """The rows that follow from it."""
    amounts: Amounts


def counted(text: str, place: Place) -> Counted:
    """The match of this record, every card and decision checked; Difference at the first that is wrong."""
    try:
        record = read(text)
        _check_header(record, place)
        return _replayed(record)
    except RecordError as error:
        told = str(error).removeprefix(f"match {place.match}").removeprefix(f", deal {error.deal}")
        raise Difference(told.removeprefix(": "), place.match, error.deal) from None


def _check_header(record: Record, place: Place) -> None:
    header = record.header
    check("the record's match", header.match, place.match, place.match)
    check("its number of deals", header.deals, place.deals, place.match)
    for key in place.house.__slots__:
        check(f"its house rule {key}", getattr(header.house, key), getattr(place.house, key), place.match)
    if place.spec:
        check("who sits where, by the seed,", header.bots, place.spec.line_up, place.match)
        check("its seed", header.seed, place.spec.seed, place.match)
    if len(header.bots) != place.seats or len(set(header.bots)) < place.seats or not {*header.bots} <= {*place.bots}:
        raise Difference(f"{', '.join(header.bots)} sit there, not {place.seats} bots of the contest", place.match)


def _replayed(record: Record) -> Counted:
    tally = Tally(len(record.header.bots))
    decisions = chips = 0
    for step in replay(record):
        tally.hear(step.events)
        decisions += step.action is not None and not isinstance(step.action, Unasked | HandOver)
        chips += sum(event.chips for event in step.events if isinstance(event, AntePaid | MatchPaid | FinePaid))
    ranks = ranks_of(record.final)
    seats = tuple(map(_seat, record.header.bots, record.final, ranks, tally.seats))
    result = MatchResult(record.header.match, record.header.deals, tuple(map(_result, seats)))
    reneges, faults = sum(seat.reneges for seat in seats), sum(seat.faults for seat in seats)
    return Counted(result, seats, Amounts(record.header.deals, decisions, reneges, faults, chips))


def _seat(bot: str, chips: int, rank: int, tally: SeatTally) -> KeptSeat:
    return KeptSeat(
        bot=bot,
        chips=chips,
        rank=rank,
        wins=tally.wins,
        bourres=tally.bourres,
        reneges=tally.reneges.total(),
        faults=tally.faults.total(),
        house_deals=tally.house_deals,
        reneges_by_rule=tuple(sorted(tally.reneges.items())),
        faults_by_kind=tuple(sorted((fault.value, times) for fault, times in tally.faults.items())),
    )


def _result(seat: KeptSeat) -> SeatResult:
    return SeatResult(
        bot=seat.bot,
        chips=seat.chips,
        rank=seat.rank,
        wins=seat.wins,
        bourres=seat.bourres,
        reneges=seat.reneges,
        faults=seat.faults,
        house_deals=seat.house_deals,
        broken=seat.reneges_by_rule,
    )
