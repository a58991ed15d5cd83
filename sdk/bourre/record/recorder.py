"""Records a match while it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bourre.record.record import DealRecord, Header, RecordError
from bourre.record.record_text import deal_line, final_line, header_line
from bourre.rules.actions import Action
from bourre.rules.cards import Card
from bourre.rules.draft import draft_class, freeze
from bourre.rules.events import (
    CardPlayed,
    DealEnded,
    DealStarted,
    Drew,
    Event,
    HandDealt,
    MatchEnded,
    Reneged,
    TrickReopened,
    TrickTaken,
    TrumpTurned,
)

_DealRecordDraft: Final = draft_class(DealRecord)


class Draft:
    """The record of a deal in progress."""

    def __init__(self, started: DealStarted, seats: int) -> None:
        self.deal = started.deal
        self.dealer = started.dealer
        self.actions: list[tuple[int, Action]] = []
        self._dealt: list[tuple[Card, ...]] = [()] * seats
        self._received: list[tuple[Card, ...]] = [()] * seats
        self.turned: Card | None = None
        """The turned card, if any."""
        self._reneges: list[Reneged] = []
        self._winners: list[int] = []

    @property
    def dealt(self) -> tuple[tuple[Card, ...], ...]:
        """The hands before the draw, by seat."""
        return tuple(self._dealt)

    def record_hand(self, dealt: HandDealt) -> None:
        """Records the cards of a seat before the draw."""
        self._dealt[dealt.seat] = _require_cards(dealt.cards, dealt)

    def record_turned(self, turned: TrumpTurned) -> None:
        """Records the turned card."""
        self.turned = turned.card

    def record_drawn(self, drew: Drew) -> None:
        """Records the cards that a seat drew."""
        self._received[drew.seat] += _require_cards(drew.received, drew)

    def record_renege(self, reneged: Reneged) -> None:
        """Records a renege."""
        self._reneges.append(reneged)

    def record_trick(self, taken: TrickTaken) -> None:
        """Records who took a trick."""
        self._winners.append(taken.seat)

    def reopen_trick(self, _: TrickReopened) -> None:
        """Removes the last trick, which is open again."""
        self._winners.pop()

    def finish(self, ended: DealEnded) -> DealRecord:
        """Returns the finished record of the deal."""
        made = _DealRecordDraft()
        made.deal = self.deal
        made.dealer = self.dealer
        made.dealt = self.dealt
        made.turned = self.turned
        made.received = tuple(self._received)
        made.actions = tuple(self.actions)
        made.reneges = tuple(self._reneges)
        made.taken = tuple([self._winners.count(seat) for seat in range(len(self._dealt))])
        made.balances = ended.balances
        made.pot = ended.pot
        made.seating = made.line_up = None
        return freeze(made, DealRecord)


class Recorder:
    """Records every action of a match and its events; the same header and actions give the same text."""

    def __init__(self, header: Header, *, keep_text: bool = True) -> None:
        """Starts a record. Without `keep_text` it takes less time, but `text` raises RecordError."""
        header.house.check_seats(len(header.bots))
        self.header = header
        self.draft: Draft | None = None
        """The deal in progress."""
        self.finished: list[DealRecord] = []
        """The deals that ended in the last call of `note`; several if nobody could play (R4.6)."""
        self.final: tuple[int, ...] | None = None
        """The final balances, once the match is over."""
        self._lines = [header_line(header)] if keep_text else None

    def note(self, seat: int | None, action: Action | None, events: Sequence[Event]) -> None:
        """Records an action and all its events. Seat and action are None for the opening events of the match.

        Raises RecordError for an action before the start or after the end.
        """
        if seat is not None and action is not None:
            if self.draft is None:
                when = "has not started" if self.final is None else "is over"
                raise RecordError(
                    f"match {self.header.match}: seat {seat} answers {str(action)!r}, but the match {when}"
                )
            self.draft.actions.append((seat, action))
        self._hear(events)

    def note_deal(self, actions: Sequence[tuple[int, Action]], events: Sequence[Event]) -> None:
        """Records at once all actions of the deal in progress and all their events."""
        if self.draft is not None:
            self.draft.actions += actions
        self._hear(events)

    def _hear(self, events: Sequence[Event]) -> None:
        if self.finished:
            self.finished = []
        for event in events:
            if type(event) is CardPlayed:
                continue  # most events, which the actions contain
            if (add_to_draft := _DRAFT_METHODS.get(type(event))) is not None:
                if self.draft is not None:
                    add_to_draft(self.draft, event)
            elif (advance := _RECORDER_METHODS.get(type(event))) is not None:
                advance(self, event)

    def text(self) -> str:
        """Returns the whole record; raises RecordError before the end of the match."""
        if self.final is None or self._lines is None:
            why = "is not over: its record is incomplete" if self.final is None else "keeps no text"
            raise RecordError(f"match {self.header.match} {why}")
        return "".join(f"{line}\n" for line in self._lines)

    def _begin_deal(self, started: DealStarted) -> None:
        self.draft = Draft(started, len(self.header.bots))

    def _end_deal(self, ended: DealEnded) -> None:
        if self.draft is not None:
            self.finished.append(self.draft.finish(ended))
            self.draft = None
            if self._lines is not None:
                self._lines.append(deal_line(self.finished[-1]))

    def _end(self, ended: MatchEnded) -> None:
        self.final = ended.balances
        if self._lines is not None:
            self._lines.append(final_line(ended.balances))


def _require_cards(cards: tuple[Card, ...] | None, event: Event) -> tuple[Card, ...]:
    if cards is None:
        raise RecordError(f"{event}: a record needs all events, not only those that one seat may see")
    return cards


_DRAFT_METHODS: Final[dict[type[Event], Callable[[Draft, Any], None]]] = {
    HandDealt: Draft.record_hand,
    TrumpTurned: Draft.record_turned,
    Drew: Draft.record_drawn,
    Reneged: Draft.record_renege,
    TrickTaken: Draft.record_trick,
    TrickReopened: Draft.reopen_trick,
}
"""The method for each recorded kind of event in a deal. The others follow from the actions or the house rules."""
_RECORDER_METHODS: Final[dict[type[Event], Callable[[Recorder, Any], None]]] = {
    DealStarted: Recorder._begin_deal,
    DealEnded: Recorder._end_deal,
    MatchEnded: Recorder._end,
}
"""The method for each kind of event that begins or ends a deal or the match."""
