"""Records the cards, declarations, draws and plays of one deal, from its events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

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


class Declaration(NamedTuple):
    """A choice to play or to pass. Obliged ones are left out."""

    seat: int
    rivals: int
    """The seats that were in before."""
    to_come: int
    """The seats that declared later."""
    plays: bool


class Discard(NamedTuple):
    """The cards that a seat discarded, perhaps none. Cards are sets."""

    seat: int
    hand: int
    thrown: int


@dataclass(frozen=True, slots=True)
class FirstHands:
    """The cards before the draw. Hands are sets by seat."""

    dealer: int
    pot: int
    """The pot before the first declaration."""
    hands: tuple[int, ...]
    trump: Suit
    turned: Card | None
    """None if the dealer named the trump."""
    undealt: tuple[Card, ...]
    """The stock before the draw, lowest first."""
    declared: tuple[Declaration, ...]
    discarded: tuple[Discard, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The draw of one deal. Lists are by position in `order`. Hands are sets of cards."""

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
    """The pot before the first seat passed a second time."""


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """Hands after the draw, and the cards in the order of play. Players are numbered from the dealer's left."""

    order: tuple[int, ...]
    """The seats that played."""
    hands: tuple[int, ...]
    trump: Suit
    cards: tuple[tuple[int, Card], ...]
    """Player and card."""


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A finished deal in one seating, with all inputs of its luck."""

    deal: int
    line_up: tuple[int, ...]
    """The number of the bot in each seat."""
    first: FirstHands | None
    """None if no cards were dealt."""
    drawing: Drawing | None
    """None if the draw has no chance that could be compared."""
    played: PlayedCards | None


class LuckRecorder:
    """Follows all events of one separately settled deal."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._deal = 0
        self._dealer = 0
        self._first_hands = [0] * seats
        self._hands = [0] * seats
        self._received: dict[int, int] = {}
        self._in: list[int] = []
        self._dealt = 0
        self._turned: Card | None = None
        self._out = 0
        """The turned card, if it is not in the stock."""
        self._trump: Suit | None = None
        self._first_pot = 0
        self._pot = 0
        self._gathered = False
        self._drawn = False
        self._cards: list[tuple[int, Card]] = []
        self._declared: list[Declaration] = []
        self._discarded: list[Discard] = []
        self._answers = 0

    def hear(self, events: Iterable[Event]) -> None:
        """Notes the cards that were dealt, discarded, drawn and played."""
        for event in events:
            match event:
                case DealStarted(deal, dealer):
                    self._deal, self._dealer = deal, dealer
                case AntePaid(chips=chips) if not self._drawn:
                    self._pot += chips
                    self._first_pot += 0 if self._answers else chips
                case HandDealt(seat, cards):
                    self._first_hands[seat] = self._hands[seat] = card_set(cards or ())
                    self._dealt |= self._hands[seat]
                case TrumpTurned(card, trump):
                    self._trump, self._turned, self._out = trump, card, 1 << card
                case TurnedReturned():
                    self._out = 0
                case TrumpNamed(trump=trump):
                    self._trump = trump
                case Declared(seat, plays, obliged):
                    self._hear_declared(seat, plays, obliged)
                case TurnedTaken(seat, card):
                    self._hands[seat] |= 1 << card
                case Drew(seat, discarded=discarded, received=received):
                    thrown = card_set(discarded or ())
                    self._hands[seat] &= ~thrown
                    self._received[seat] = card_set(received or ())
                    self._discarded.append(Discard(seat, self._first_hands[seat], thrown))
                case StockGathered():
                    self._gathered = True
                case Stayed():
                    self._drawn = True
                case CardPlayed(seat, card):
                    self._cards.append((seat, card))

    def _hear_declared(self, seat: int, plays: bool, obliged: bool) -> None:
        self._answers += 1
        if not obliged:
            self._declared.append(Declaration(seat, len(self._in), self._seats - self._answers, plays))
        if plays:
            self._in.append(seat)

    def board(self, deal: int, line_up: tuple[int, ...]) -> PlayedBoard:
        """Returns the deal, which must be over."""
        return PlayedBoard(deal, line_up, self.first_hands(), self.drawing(), self.played())

    def first_hands(self) -> FirstHands | None:
        """Returns the first hands and declarations. None if no cards were dealt."""
        if self._trump is None:
            return None
        return FirstHands(
            dealer=self._dealer,
            pot=self._first_pot,
            hands=tuple(self._first_hands),
            trump=self._trump,
            turned=self._turned,
            undealt=self._stock(),
            declared=tuple(self._declared),
            discarded=tuple(self._discarded),
        )

    def drawing(self) -> Drawing | None:
        """Returns the chance in the draw. None if fewer than two play, nobody draws, or discards were reshuffled.

        These cases depend on how many cards are drawn, never on which, so leaving them out introduces no bias.
        """
        if len(self._in) < 2 or self._gathered or self._trump is None or not any(self._received.values()):
            return None
        order = self._order()
        return Drawing(
            deal=self._deal,
            seats=self._seats,
            order=tuple(order),
            kept=tuple(self._hands[seat] for seat in order),
            received=tuple(self._received.get(seat, 0) for seat in order),
            stock=self._stock(),
            trump=self._trump,
            pot=self._pot,
        )

    def played(self) -> PlayedCards | None:
        """Returns the hands after the draw and the cards played from them. None if there was no trick."""
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

    def _stock(self) -> tuple[Card, ...]:
        """Returns the stock before the draw, lowest first."""
        return tuple([card for card in DECK if not (self._dealt | self._out) >> card & 1])

    def _order(self) -> list[int]:
        """Returns the seats that declared to play, from the dealer's left."""
        return sorted(self._in, key=lambda seat: (seat - self._dealer - 1) % self._seats)
