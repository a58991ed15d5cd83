"""The chart and the moments of a contest, next to the standings on the first page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bourre.record import Record
from bourre.rules.events import MatchPaid, PotTaken, Reneged
from bourre_referee.storage.run.rooms_file import SeatedRoom
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of
from bourre_referee.web.data.chip_curve import ChipCurveChart, chip_curve_chart
from bourre_referee.web.data.run_page import RunData

MOST = 6
"""The most moments of each kind that are kept."""


class MomentKind(StrEnum):
    """The kind of a moment."""

    RENEGE = "renege"
    BOURRE = "bourre"
    POT = "pot"


@dataclass(frozen=True, slots=True)
class EventMoment:
    """One moment. An onlooker at the table could see everything in it."""

    kind: MomentKind
    number: int
    """The number of the match in the schedule."""
    match: str
    deal: int
    seating: int | None
    """The seating in `duplicate`, from 1."""
    step: int
    """The number of its step in the replay of the deal, from 1."""
    bot: str
    """The bots that reneged, went bourré or took the pot."""
    chips: int = 0
    """The chips of the pot that was matched or taken. 0 for a renege."""
    rule: str = ""
    """The id of the rule that a renege broke, otherwise empty."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of some matches, at most `MOST` of each kind."""

    reneges: tuple[EventMoment, ...] = ()
    """The last ones in schedule order, newest first."""
    bourres: tuple[EventMoment, ...] = ()
    """The last ones in schedule order, newest first."""
    pots: tuple[EventMoment, ...] = ()
    """The largest ones, largest first. Of equal ones, the newer comes first."""

    def __bool__(self) -> bool:
        return bool(self.reneges or self.bourres or self.pots)

    def join(self, more: Moments) -> Moments:
        """Merges two sets of moments, in either order."""
        return Moments(
            reneges=_newest((*self.reneges, *more.reneges)),
            bourres=_newest((*self.bourres, *more.bourres)),
            pots=tuple(sorted((*self.pots, *more.pots), key=lambda pot: (pot.chips, *_age(pot)), reverse=True)[:MOST]),
        )


def moments_of(number: int, record: Record) -> Moments:
    """Replays the record of the match with this number. Raises RecordError if the rules contradict it."""
    found = Moments()
    for deal in deals_of(record):
        of_deal = tuple(_of_deal(number, record.header.match, deal))
        by_kind = {kind: tuple(moment for moment in of_deal if moment.kind == kind) for kind in MomentKind}
        found = found.join(Moments(by_kind[MomentKind.RENEGE], by_kind[MomentKind.BOURRE], by_kind[MomentKind.POT]))
    return found


def _of_deal(number: int, match: str, deal: DealEvents) -> Iterator[EventMoment]:
    for step, row in enumerate(rows_of(deal.events), start=1):
        place = (number, match, deal.number, deal.seating, step)
        match row[-1]:
            case Reneged(seat=seat, rule=rule):
                yield EventMoment(MomentKind.RENEGE, *place, deal.bots[seat], rule=rule)
            case MatchPaid(seat=seat, chips=chips, bourred=True):
                yield EventMoment(MomentKind.BOURRE, *place, deal.bots[seat], chips)
            case PotTaken(seat=seat, chips=chips):
                yield EventMoment(MomentKind.POT, *place, deal.bots[seat], chips)


def _newest(moments: Iterable[EventMoment]) -> tuple[EventMoment, ...]:
    return tuple(sorted(moments, key=_age, reverse=True)[:MOST])


def _age(moment: EventMoment) -> tuple[int, int, int, int]:
    return moment.number, moment.deal, moment.seating or 0, moment.step


@dataclass(frozen=True, slots=True)
class EventData:
    """A contest as an event."""

    chart: ChipCurveChart | None
    """None before the second match."""
    tables: tuple[SeatedRoom, ...]
    """The rooms in play."""
    moments: Moments
    seen: int
    """The number of finished matches in which moments were searched."""
    secret: bool
    """Whether the seed is still secret, so that a moment shows only what an onlooker could see."""


def event_data(
    run: RunData, moments: Moments, seen: int, *, secret: bool, tables: tuple[SeatedRoom, ...] = ()
) -> EventData:
    """Returns the data of this state of the run."""
    ranked = [row.bot for row in run.standings.ranked]
    return EventData(chip_curve_chart(run.course, ranked, run.numbers), tables, moments, seen, secret)
