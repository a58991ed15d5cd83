"""What a deal was like before anybody drew, and which cards then came."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.events import (
    AntePaid,
    DealStarted,
    Declared,
    Drew,
    Event,
    HandDealt,
    Stayed,
    StockGathered,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The seats that are in, from the dealer's left, and their cards as sets; lists are by place in that order."""

    deal: int
    seats: int
    """At the table."""
    order: tuple[int, ...]
    kept: tuple[int, ...]
    received: tuple[int, ...]
    stock: tuple[Card, ...]
    """The undealt cards, lowest first."""
    trump: Suit
    pot: int
    """Before anybody passed a second time."""


class Observer:
    """Hears all events of one deal that is played by itself."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._deal = 0
        self._dealer = 0
        self._hands = [0] * seats
        self._received: dict[int, int] = {}
        self._in: list[int] = []
        self._dealt = 0
        self._apart = 0
        self._trump: Suit | None = None
        self._pot = 0
        self._gathered = False
        self._drawn = False

    def hear(self, events: Iterable[Event]) -> None:
        """Takes note of what was dealt, thrown away and drawn."""
        for event in events:
            match event:
                case DealStarted(deal, dealer):
                    self._deal, self._dealer = deal, dealer
                case AntePaid(chips=chips) if not self._drawn:
                    self._pot += chips
                case HandDealt(seat, cards):
                    self._hands[seat] = card_set(cards or ())
                    self._dealt |= self._hands[seat]
                case TrumpTurned(card, trump):
                    self._trump, self._apart = trump, 1 << card
                case TurnedReturned():
                    self._apart = 0
                case TrumpNamed(trump=trump):
                    self._trump = trump
                case Declared(seat, True):
                    self._in.append(seat)
                case TurnedTaken(seat, card):
                    self._hands[seat] |= 1 << card
                case Drew(seat, discarded=discarded, received=received):
                    self._hands[seat] &= ~card_set(discarded or ())
                    self._received[seat] = card_set(received or ())
                case StockGathered():
                    self._gathered = True
                case Stayed():
                    self._drawn = True

    def drawing(self) -> Drawing | None:
        """What chance did; None where it did nothing, or too much: fewer than two play, nobody draws, cards came back
        into the stock. All that hangs on how many are drawn, never on which, so leaving it out biases nothing."""
        if len(self._in) < 2 or self._gathered or self._trump is None or not any(self._received.values()):
            return None
        in_stock = [card for card in DECK if not (self._dealt | self._apart) >> card & 1]
        order = sorted(self._in, key=lambda seat: (seat - self._dealer - 1) % self._seats)
        return Drawing(
            deal=self._deal,
            seats=self._seats,
            order=tuple(order),
            kept=tuple(self._hands[seat] for seat in order),
            received=tuple(self._received.get(seat, 0) for seat in order),
            stock=tuple(in_stock),
            trump=self._trump,
            pot=self._pot,
        )
