"""Observe a deal's state before the draw, and the cards then drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.events import (
    AntePaid,
    CardPlayed,
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
from bourre_referee.luck.first_hands import EntryObserver, FirstHands


@dataclass(frozen=True, slots=True)
class Drawing:
    """The draw of one deal. Lists are by position in `order`; hands are sets of cards."""

    deal: int
    seats: int
    """The number of seats at the table."""
    order: tuple[int, ...]
    """The seats that are in, from the dealer's left."""
    kept: tuple[int, ...]
    received: tuple[int, ...]
    stock: tuple[Card, ...]
    """The undealt cards, lowest first."""
    trump: Suit
    pot: int
    """The pot before anybody passed a second time."""


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """Hands after the draw, and the cards in the order of play; players are numbered from the dealer's left."""

    order: tuple[int, ...]
    """The seats that played."""
    hands: tuple[int, ...]
    trump: Suit
    cards: tuple[tuple[int, Card], ...]
    """Player and card."""


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A deal in one seating, once it is over: all that its luck is computed from."""

    deal: int
    line_up: tuple[int, ...]
    """For each seat, the number of its bot."""
    first: FirstHands | None
    """None if nothing was dealt."""
    drawing: Drawing | None
    """None if chance decided nothing in the draw that can be compared."""
    played: PlayedCards | None


class DrawObserver:
    """Follows all events of one deal that is played by itself."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._deal = 0
        self._dealer = 0
        self._hands = [0] * seats
        self._received: dict[int, int] = {}
        self._in: list[int] = []
        self._dealt = 0
        self._turned = 0
        self._trump: Suit | None = None
        self._pot = 0
        self._gathered = False
        self._drawn = False
        self._cards: list[tuple[int, Card]] = []
        self._entry = EntryObserver(seats)

    def hear(self, events: Iterable[Event]) -> None:
        """Note what was dealt, discarded, drawn and played."""
        for event in events:
            self._entry.hear(event)
            match event:
                case DealStarted(deal, dealer):
                    self._deal, self._dealer = deal, dealer
                case AntePaid(chips=chips) if not self._drawn:
                    self._pot += chips
                case HandDealt(seat, cards):
                    self._hands[seat] = card_set(cards or ())
                    self._dealt |= self._hands[seat]
                case TrumpTurned(card, trump):
                    self._trump, self._turned = trump, 1 << card
                case TurnedReturned():
                    self._turned = 0
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
                case CardPlayed(seat, card):
                    self._cards.append((seat, card))

    def board(self, deal: int, line_up: tuple[int, ...]) -> PlayedBoard:
        """Return the deal, which is over."""
        return PlayedBoard(deal, line_up, self._entry.first_hands(), self.drawing(), self.played())

    def drawing(self) -> Drawing | None:
        """Return what chance did in the draw; None if fewer than two play, nobody draws, or discards were reshuffled.

        These cases depend on how many cards are drawn, never on which, so leaving them out introduces no bias.
        """
        if len(self._in) < 2 or self._gathered or self._trump is None or not any(self._received.values()):
            return None
        in_stock = [card for card in DECK if not (self._dealt | self._turned) >> card & 1]
        order = self._order()
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

    def played(self) -> PlayedCards | None:
        """Return the hands after the draw and the cards played from them; None if there was no trick."""
        if not self._cards or self._trump is None:
            return None
        played = {seat for seat, _ in self._cards}
        order = [seat for seat in self._order() if seat in played]
        return PlayedCards(
            order=tuple(order),
            hands=tuple(self._hands[seat] | self._received.get(seat, 0) for seat in order),
            trump=self._trump,
            cards=tuple((order.index(seat), card) for seat, card in self._cards),
        )

    def _order(self) -> list[int]:
        """Return the seats that declared to play, from the dealer's left."""
        return sorted(self._in, key=lambda seat: (seat - self._dealer - 1) % self._seats)
