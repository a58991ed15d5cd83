"""Writes a match down while it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bourre.record.facts import DealRecord, Header, RecordError
from bourre.record.record_text import deal_line, final_line, header_line
from bourre.rules.actions import Action
from bourre.rules.cards import Card
from bourre.rules.events import (
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


class Draft:
    """A deal that is being written down."""

    def __init__(self, started: DealStarted, seats: int) -> None:
        self.deal = started.deal
        self.dealer = started.dealer
        self.actions: list[tuple[int, Action]] = []
        self._dealt: list[tuple[Card, ...]] = [()] * seats
        self._received: list[tuple[Card, ...]] = [()] * seats
        self.turned: Card | None = None
        """The card that was turned up, if any was."""
        self._reneges: list[Reneged] = []
        self._winners: list[int] = []

    @property
    def dealt(self) -> tuple[tuple[Card, ...], ...]:
        """The hands before the draw, by seat."""
        return tuple(self._dealt)

    def keep_hand(self, dealt: HandDealt) -> None:
        """The cards of a seat before the draw."""
        self._dealt[dealt.seat] = _shown(dealt.cards, dealt)

    def keep_turned(self, turned: TrumpTurned) -> None:
        """The card that was turned up."""
        self.turned = turned.card

    def keep_drawn(self, drew: Drew) -> None:
        """What a seat received for its discards."""
        self._received[drew.seat] += _shown(drew.received, drew)

    def keep_renege(self, reneged: Reneged) -> None:
        """A card against the rules."""
        self._reneges.append(reneged)

    def keep_trick(self, taken: TrickTaken) -> None:
        """Who took a trick."""
        self._winners.append(taken.seat)

    def reopen_trick(self, _: TrickReopened) -> None:
        """The last trick is not taken after all."""
        self._winners.pop()

    def finished(self, ended: DealEnded) -> DealRecord:
        """The deal as it stands in the record."""
        return DealRecord(
            deal=self.deal,
            dealer=self.dealer,
            dealt=self.dealt,
            turned=self.turned,
            received=tuple(self._received),
            actions=tuple(self.actions),
            reneges=tuple(self._reneges),
            taken=tuple(map(self._winners.count, range(len(self._dealt)))),
            balances=ended.balances,
            pot=ended.pot,
        )


class Recorder:
    """Hears every action of a match and what followed from it; same header and same actions give the same text."""

    def __init__(self, header: Header) -> None:
        header.house.check_seats(len(header.bots))
        self.header = header
        self.draft: Draft | None = None
        """The deal in progress."""
        self.finished: list[DealRecord] = []
        """The deals that ended with the last note; several where nobody could play (R4.6)."""
        self.final: tuple[int, ...] | None = None
        """The balances at the end of the match, once it is over."""
        self._lines = [header_line(header)]

    def note(self, seat: int | None, action: Action | None, events: Sequence[Event]) -> None:
        """Takes an action and all its events; seat and action are None for the opening events of the match.

        Raises RecordError for an action when no deal is in progress: before the start, or after the end.
        """
        if seat is not None and action is not None:
            if self.draft is None:
                when = "has not started" if self.final is None else "is over"
                raise RecordError(f"match {self.header.match}: {action} of seat {seat}, but the match {when}")
            self.draft.actions.append((seat, action))
        if self.finished:
            self.finished = []
        for event in events:
            if (keep := _KEPT.get(type(event))) is not None:
                if self.draft is not None:
                    keep(self.draft, event)
            elif (turn := _TURNS.get(type(event))) is not None:
                turn(self, event)

    def text(self) -> str:
        """The whole record; RecordError before the end of the match."""
        if self.final is None:
            raise RecordError(f"match {self.header.match} is not over: its record is not whole")
        return "".join(f"{line}\n" for line in self._lines)

    def _begin_deal(self, started: DealStarted) -> None:
        self.draft = Draft(started, len(self.header.bots))

    def _end_deal(self, ended: DealEnded) -> None:
        if self.draft is not None:
            self.finished.append(self.draft.finished(ended))
            self.draft = None
            self._lines.append(deal_line(self.finished[-1]))

    def _end(self, ended: MatchEnded) -> None:
        self.final = ended.balances
        self._lines.append(final_line(ended.balances))


def _shown(cards: tuple[Card, ...] | None, event: Event) -> tuple[Card, ...]:
    if cards is None:
        raise RecordError(f"{event}: a record is made from all events, not from those that one seat may see")
    return cards


_KEPT: Final[dict[type[Event], Callable[[Draft, Any], None]]] = {
    HandDealt: Draft.keep_hand,
    TrumpTurned: Draft.keep_turned,
    Drew: Draft.keep_drawn,
    Reneged: Draft.keep_renege,
    TrickTaken: Draft.keep_trick,
    TrickReopened: Draft.reopen_trick,
}
"""What a deal keeps of an event; the rest is told by the actions, or by the house rules."""
_TURNS: Final[dict[type[Event], Callable[[Recorder, Any], None]]] = {
    DealStarted: Recorder._begin_deal,
    DealEnded: Recorder._end_deal,
    MatchEnded: Recorder._end,
}
"""The events from which on another deal is written, or none."""
