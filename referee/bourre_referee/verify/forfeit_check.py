"""Checks when the referee starts to play a seat, and how it plays. Both follow from the faults and the cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bourre.record import DealRecord, Header, Record, chance_of
from bourre.record.counters import Counters
from bourre.rules.actions import Action, Fault, HandOver, Recall, Unasked
from bourre.rules.events import Event, Faulted
from bourre.rules.match import Match
from bourre_referee.verify.difference import Difference, check

GONE = frozenset({Fault.STALLED, Fault.CRASHED, Fault.DISCONNECTED, Fault.OVER_LIMIT, Fault.START_FAILURE})
"""Faults after which the bot is gone. After any other fault, it plays on until it has too many."""


def check_forfeits(record: Record, max_faults: int, models: Collection[str] = ()) -> None:
    """Checks that the right player made each action of a record. Raises Difference at the first wrong one.

    Language models (`models`) may leave without a fault, because a cap allows them no more calls.
    """
    for deals in _deals_by_match(record):
        replay = _Replay(record.header, deals[0], max_faults, models)
        for deal in deals:
            replay.check(deal)


def _deals_by_match(record: Record) -> Iterator[tuple[DealRecord, ...]]:
    """Yields the deals over which faults add up: all of a match, or in format `duplicate` each board."""
    if record.header.format == "session":
        yield record.deals
    else:
        yield from ((deal,) for deal in record.deals)


class _Replay:
    """A replay of a match, or of one board, that knows which seats the referee plays."""

    def __init__(self, header: Header, first: DealRecord, max_faults: int, models: Collection[str]) -> None:
        only = first.deal if header.format == "duplicate" else None
        self._header = header
        self._max_faults = max_faults
        self._models = models
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._counters = Counters(len(header.bots))
        self._due: int | None = None
        """The seat that the referee must take over next."""
        self._spoken: set[int] = set()
        """The seats whose bots may have declared, when all declare at once, before the referee took over (R4.1)."""
        self._match.start()

    def check(self, deal: DealRecord) -> None:
        """Checks every action of the next deal."""
        for number, (seat, action) in enumerate(deal.actions, start=1):
            place = f"seating {deal.seating}, action {number}" if deal.seating else f"action {number}"
            try:
                self._check(place, deal, seat, action)
            except Difference as error:
                raise Difference(error.text, self._header.match, deal.deal) from None
            events = self._match.apply(seat, action)
            self._counters.hear(events)
            self._due = self._seat_to_take_over(events)
            if self._due is not None and self._may_have_spoken(self._due, action):
                self._spoken.add(self._due)

    def _check(self, place: str, deal: DealRecord, seat: int, action: Action) -> None:
        if self._due is not None:
            what = f"{place}, after {self._faults(self._due, deal)},"
            check(what, f"{seat} {action}", f"{self._due} {HandOver()}")
        elif isinstance(action, HandOver):
            if self._bot(seat, deal) in self._models and seat not in self._counters.house:
                return
            again = ", which it plays already" if seat in self._counters.house else ""
            raise Difference(
                f"{place}: the referee takes over, with {self._faults(seat, deal)}{again}, but should do so once, "
                f"right after fault {self._max_faults} or one of {', '.join(sorted(GONE))}"
            )
        elif seat in self._counters.house:
            self._check_answer(place, deal, seat, action)

    def _check_answer(self, place: str, deal: DealRecord, seat: int, action: Action) -> None:
        """Checks an action recorded for a seat that the referee plays."""
        what = f"{place}, for {self._seat_name(seat, deal)}, which the referee plays,"
        if isinstance(action, Unasked | Recall):
            raise Difference(f"{what} is {str(action)!r}, should be nothing, because its bot is gone")
        if seat not in self._spoken:
            check(what, str(action), str(self._match.deal.default()))
        self._spoken.discard(seat)

    def _seat_to_take_over(self, events: list[Event]) -> int | None:
        """Returns the seat that the referee must take over after these events."""
        faults = [event for event in events if isinstance(event, Faulted) and event.seat not in self._counters.house]
        due = (fault.seat for fault in faults if fault.fault in GONE or self._times(fault.seat) >= self._max_faults)
        return None if self._match.over else next(due, None)

    def _may_have_spoken(self, seat: int, action: Action) -> bool:
        """Returns whether the seat's bot may have sent an answer, not counted yet, before it acted unasked."""
        said = isinstance(action, Recall) or (isinstance(action, Unasked) and action.fault not in GONE)
        return said and seat in self._match.asked and seat != self._match.to_act

    def _times(self, seat: int) -> int:
        return self._counters.seats[seat].faults.total()

    def _faults(self, seat: int, deal: DealRecord) -> str:
        times = self._times(seat)
        return f"{times} fault{'' if times == 1 else 's'} of {self._seat_name(seat, deal)}"

    def _seat_name(self, seat: int, deal: DealRecord) -> str:
        return f"seat {seat} ({self._bot(seat, deal)})"

    def _bot(self, seat: int, deal: DealRecord) -> str:
        return self._header.bots[deal.line_up[seat] if deal.line_up else seat]
