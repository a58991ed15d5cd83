"""What was dealt in one deal that is over, and what the bots made of it before the play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.events import (
    AntePaid,
    DealStarted,
    Declared,
    Drew,
    Event,
    HandDealt,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
)


class Declaration(NamedTuple):
    """A choice to play or to pass; obliged ones are left out."""

    seat: int
    rivals: int
    """Seats that were in before."""
    to_come: int
    """Seats that declared later."""
    plays: bool


class Discard(NamedTuple):
    """What a seat threw away, perhaps nothing; cards are sets."""

    seat: int
    hand: int
    thrown: int


@dataclass(frozen=True, slots=True)
class FirstHands:
    """The cards before anybody drew; hands are sets by seat."""

    dealer: int
    pot: int
    """The pot before anybody declared."""
    hands: tuple[int, ...]
    trump: Suit
    turned: Card | None
    """None where the dealer named the trump."""
    undealt: tuple[Card, ...]
    """The stock before the draw, lowest first."""
    declared: tuple[Declaration, ...]
    discarded: tuple[Discard, ...]


class EntryObserver:
    """Follows the events of one deal that is played by itself, until the first card is played."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._dealer = 0
        self._pot = 0
        self._hands = [0] * seats
        self._trump: Suit | None = None
        self._turned: Card | None = None
        self._out = 0
        """The turned card, where it is not in the stock."""
        self._declared: list[Declaration] = []
        self._discarded: list[Discard] = []
        self._answers = 0
        self._rivals = 0

    def hear(self, event: Event) -> None:
        """Note what was dealt, declared and discarded."""
        match event:
            case DealStarted(dealer=dealer):
                self._dealer = dealer
            case AntePaid(chips=chips) if not self._answers:
                self._pot += chips
            case HandDealt(seat, cards):
                self._hands[seat] = card_set(cards or ())
            case TrumpTurned(card, trump):
                self._trump, self._turned, self._out = trump, card, 1 << card
            case TurnedReturned():
                self._out = 0
            case TrumpNamed(trump=trump):
                self._trump = trump
            case Declared(seat, plays, obliged):
                self._hear_declared(seat, plays, obliged)
            case Drew(seat, discarded=discarded):
                self._discarded.append(Discard(seat, self._hands[seat], card_set(discarded or ())))

    def _hear_declared(self, seat: int, plays: bool, obliged: bool) -> None:
        self._answers += 1
        if not obliged:
            self._declared.append(Declaration(seat, self._rivals, self._seats - self._answers, plays))
        self._rivals += plays

    def first_hands(self) -> FirstHands | None:
        """Return what was dealt and declared; None if nothing was dealt."""
        if self._trump is None:
            return None
        dealt = self._out
        for hand in self._hands:
            dealt |= hand
        return FirstHands(
            dealer=self._dealer,
            pot=self._pot,
            hands=tuple(self._hands),
            trump=self._trump,
            turned=self._turned,
            undealt=tuple([card for card in DECK if not dealt >> card & 1]),
            declared=tuple(self._declared),
            discarded=tuple(self._discarded),
        )
