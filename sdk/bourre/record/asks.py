"""What one bot of a recorded match was asked, with which view and news, and what it answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bourre.record.facts import DealRecord, Header, RecordError, chance_of
from bourre.record.record import Record
from bourre.rules.actions import Action, Choice, HandOver, Missing, Recall, Unasked
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.visibility import View, visible_to


@dataclass(frozen=True, slots=True)
class RecordedAsk:
    """One ask. Where a card is the only legal one it is played for the bot: it is not asked then."""

    number: int
    """Of the asks of this bot in this deal, from 1."""
    seating: int | None
    """In `duplicate`: the playing of the deal, from 1."""
    view: View
    """The very one that the bot was given."""
    events: tuple[Event, ...]
    """What it heard first: all since its ask before, as far as its seat may know."""
    action: Choice | Missing
    """What the record says it answered."""
    recall: Recall | None
    """The card with which it took that back at once (R8.4, `silent`)."""


def asks(record: Record, bot: int, deal: int | None = None, seating: int | None = None) -> Iterator[RecordedAsk]:
    """Every ask of one bot, by its number in the header's list; in `session` that is its seat.

    In `duplicate` a deal or a seating can be chosen: every playing stands alone. In `session` every deal is played, for
    the bot remembers. Raises RecordError where the rules contradict the record.
    """
    if record.header.format == "session":
        yield from _Chair(record.header, bot, None, None).asks(record.deals)
        return
    for playing in record.deals:
        if deal in (None, playing.deal) and seating in (None, playing.seating):
            assert playing.line_up is not None
            seat = playing.line_up.index(bot)
            yield from _Chair(record.header, seat, playing.deal, playing.seating).asks((playing,))


class _Chair:
    """One seat of a match that is played anew, and what its bot hears and is asked there."""

    def __init__(self, header: Header, seat: int, only: int | None, seating: int | None) -> None:
        self._header = header
        self._seat = seat
        self._seating = seating
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._untold: list[Event] = []
        self._asked: tuple[View, tuple[Event, ...]] | None = None
        self._housed = False
        self._last = (0, 0)
        """Deal and number of the last ask."""

    def asks(self, deals: Sequence[DealRecord]) -> Iterator[RecordedAsk]:
        """In their order."""
        self._hear(self._match.start())
        for deal in deals:
            for (seat, action), (_, after) in zip_longest(deal.actions, deal.actions[1:], fillvalue=(-1, HandOver())):
                asked = self._answered(seat, action, after)
                self._apply(deal, seat, action)
                if asked is not None:
                    yield asked

    def _answered(self, seat: int, action: Action, after: Action) -> RecordedAsk | None:
        """The ask that this action answers; None where it answers none of this bot."""
        if seat != self._seat or self._asked is None or isinstance(action, Recall | Unasked | HandOver):
            return None
        (view, events), self._asked = self._asked, None
        number = self._last[1] + 1 if self._last[0] == view.deal else 1
        self._last = view.deal, number
        recall = after if isinstance(after, Recall) else None
        return RecordedAsk(number, self._seating, view, events, action, recall)

    def _apply(self, deal: DealRecord, seat: int, action: Action) -> None:
        if isinstance(action, HandOver) and seat == self._seat:
            self._housed, self._asked = True, None
        if isinstance(action, Recall) and self._asked is not None:  # what was taken back is asked anew
            self._untold, self._asked = [*self._asked[1], *self._untold], None
        try:
            self._hear(self._match.apply(seat, action))
        except InvalidAction as error:
            raise RecordError(f"match {self._header.match}, deal {deal.deal}: {error}", deal.deal) from None

    def _hear(self, events: list[Event]) -> None:
        """Takes the news, and the ask where there is one; those who are asked at once hear nothing of each other."""
        self._untold.extend(visible_to(self._seat, events))
        match = self._match
        if self._asked is not None or self._housed or match.over or self._seat not in match.asked:
            return
        if match.deal.forced is None:
            self._asked, self._untold = (match.view(self._seat), tuple(self._untold)), []
