"""The deals of a record as their events, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bourre.record import DealRecord, Record, Step, replay
from bourre.record.duplicate import totals
from bourre.rules.events import DealEnded, DealStarted, Event, TurnForfeited
from bourre.rules.house import HouseRules


@dataclass(frozen=True, slots=True)
class DealEvents:
    """One deal as it was played, or one of its playings."""

    number: int
    seating: int | None
    bots: tuple[str, ...]
    """By seat, as they call themselves."""
    house: HouseRules
    carried: int
    """Chips in the pot before the antes."""
    balances: tuple[int, ...]
    """Before the antes, by seat."""
    events: tuple[Event, ...]


def events_by_deal(record: Record) -> Iterator[DealEvents]:
    """Every deal of the match in order, each as soon as it is replayed; RecordError where the rules contradict it."""
    return _session(record) if record.header.format == "session" else _duplicate(record)


def events_of_deal(record: Record, number: int, seating: int | None) -> DealEvents | None:
    """This deal, in `duplicate` in this seating (from 1); None where there is none."""
    if record.header.format == "duplicate":  # its playings do not hang together
        deals = tuple(deal for deal in record.deals if (deal.deal, deal.seating) == (number, seating))
        record = replace(record, deals=deals, final=totals(deals)) if deals else replace(record, deals=())
    return next((deal for deal in events_by_deal(record) if (deal.number, deal.seating) == (number, seating)), None)


def _session(record: Record) -> Iterator[DealEvents]:
    header = record.header
    carried, balances = 0, (0,) * len(header.bots)
    for events in _cut(replay(record)):
        started, ended = _ends(events)
        yield DealEvents(started.deal, None, header.bots, header.house, carried, balances, events)
        carried, balances = ended.pot, ended.balances


def _duplicate(record: Record) -> Iterator[DealEvents]:
    header = record.header
    if not record.deals:
        return
    for deal, events in zip(record.deals, _cut(replay(record)), strict=True):
        yield DealEvents(deal.deal, deal.seating, _bots(deal, record), header.house, 0, (0,) * len(header.bots), events)


def _bots(deal: DealRecord, record: Record) -> tuple[str, ...]:
    return tuple(record.header.bots[number] for number in deal.line_up or range(len(record.header.bots)))


def _cut(steps: Iterable[Step]) -> Iterator[tuple[Event, ...]]:
    """The events of each deal; one begins with the turn that a seat forfeits before it."""
    events: list[Event] = []
    settled = False
    for step in steps:
        for event in step.events:
            if settled and isinstance(event, TurnForfeited | DealStarted):
                yield tuple(events)
                events, settled = [], False
            events.append(event)
            settled = settled or isinstance(event, DealEnded)
    yield tuple(events)


def _ends(events: Iterable[Event]) -> tuple[DealStarted, DealEnded]:
    started, ended = (event for event in events if isinstance(event, DealStarted | DealEnded))
    assert isinstance(started, DealStarted)
    assert isinstance(ended, DealEnded)
    return started, ended
