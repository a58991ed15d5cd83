"""The asks of one bot in a recorded match: its views, the events it received, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bourre.record.record import DealRecord, Header, Record, RecordError, chance_of
from bourre.rules.actions import Action, Choice, HandOver, Missing, Recall, Unasked
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.visibility import View, visible_to


@dataclass(frozen=True, slots=True)
class RecordedAsk:
    """One ask. An only legal card is played for the bot without asking."""

    number: int
    """The number of the ask among this bot's asks in this deal, from 1."""
    seating: int | None
    """The number of the deal's seating in `duplicate`, from 1."""
    view: View
    """The view that the bot got."""
    events: tuple[Event, ...]
    """The events since its previous ask, without what its seat may not see."""
    action: Choice | Missing
    """The recorded answer."""
    recall: Recall | None
    """The immediate correction of that answer (R8.4, `silent`)."""
    place: int
    """The number of the recorded answer among all actions of this deal, from 1."""


def asks(record: Record, bot: int, deal: int | None = None, seating: int | None = None) -> Iterator[RecordedAsk]:
    """Yields every ask of one bot, by its number in the header's list, which in `session` is its seat.

    In `duplicate`, every seating stands alone, so a deal or a seating can be chosen. In `session`, every deal is
    replayed, because bots remember. Raises RecordError if the rules contradict the record.
    """
    for _, ask in _asks(record, (bot,), deal, seating):
        yield ask


def asks_of_all(record: Record) -> Iterator[tuple[int, RecordedAsk]]:
    """Yields every ask of all bots with the bot's number, in the order of the answers, by one replay."""
    yield from _asks(record, range(len(record.header.bots)), None, None)


def _asks(
    record: Record, bots: Sequence[int], deal: int | None, seating: int | None
) -> Iterator[tuple[int, RecordedAsk]]:
    if record.header.format == "session":
        yield from _ReplayedSeats(record.header, {bot: bot for bot in bots}, None, None).asks(record.deals)
        return
    for recorded in record.deals:
        if deal in (None, recorded.deal) and seating in (None, recorded.seating):
            assert recorded.line_up is not None
            seated = {recorded.line_up.index(bot): bot for bot in bots}
            yield from _ReplayedSeats(record.header, seated, recorded.deal, recorded.seating).asks((recorded,))


class _ReplayedSeats:
    """The seats of a replayed match, with their bots' numbers."""

    def __init__(self, header: Header, seated: Mapping[int, int], only: int | None, seating: int | None) -> None:
        self._header = header
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._seats = {seat: _ReplayedSeat(self._match, seat, seating) for seat in seated}
        self._bots = seated

    def asks(self, deals: Sequence[DealRecord]) -> Iterator[tuple[int, RecordedAsk]]:
        """Yields the asks of these deals, in order."""
        self._hear(self._match.start())
        for deal in deals:
            pairs = zip_longest(deal.actions, deal.actions[1:], fillvalue=(-1, HandOver()))
            for place, ((seat, action), (_, after)) in enumerate(pairs, start=1):
                mine = self._seats.get(seat)
                asked = mine.match_answer(action, after, place) if mine else None
                self._apply(deal, seat, action)
                if asked is not None:
                    yield self._bots[seat], asked

    def _apply(self, deal: DealRecord, seat: int, action: Action) -> None:
        for heard in self._seats.values():
            heard.expect(seat, action)
        try:
            self._hear(self._match.apply(seat, action))
        except InvalidAction as error:
            raise RecordError(f"match {self._header.match}, deal {deal.deal}: {error}", deal.deal) from None

    def _hear(self, events: list[Event]) -> None:
        for heard in self._seats.values():
            heard.hear(events)


class _ReplayedSeat:
    """One seat of a replayed match, and the events and asks of its bot."""

    def __init__(self, match: Match, seat: int, seating: int | None) -> None:
        self._match = match
        self._seat = seat
        self._seating = seating
        self._unsent: list[Event] = []
        self._asked: tuple[View, tuple[Event, ...]] | None = None
        self._house_plays = False
        self._last = (0, 0)
        """The deal and the number of the last ask."""

    def match_answer(self, action: Action, after: Action, place: int) -> RecordedAsk | None:
        """Returns the ask that this action of the seat answers; None if it answers none."""
        if self._asked is None or isinstance(action, Recall | Unasked | HandOver):
            return None
        (view, events), self._asked = self._asked, None
        number = self._last[1] + 1 if self._last[0] == view.deal else 1
        self._last = view.deal, number
        recall = after if isinstance(after, Recall) else None
        return RecordedAsk(number, self._seating, view, events, action, recall, place)

    def expect(self, seat: int, action: Action) -> None:
        """Takes back the ask that the next action of any seat makes void."""
        if isinstance(action, HandOver) and seat == self._seat:
            self._house_plays, self._asked = True, None
        if isinstance(action, Recall) and self._asked is not None:  # the retracted decision is asked again
            self._unsent, self._asked = [*self._asked[1], *self._unsent], None

    def hear(self, events: list[Event]) -> None:
        """Adds these events and the ask, if any. Seats that are asked simultaneously do not hear each other."""
        self._unsent.extend(visible_to(self._seat, events))
        match = self._match
        if self._asked is not None or self._house_plays or match.over or self._seat not in match.asked:
            return
        if match.deal.forced is None:
            self._asked, self._unsent = (match.view(self._seat), tuple(self._unsent)), []
