"""The tricks of a deal, played out with all hands known, for predictions: legal as in R5 and R6, without reneges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bourre.rules.cards import SUIT_CARDS, Card, Suit
from bourre.rules.house import HouseRules
from bourre.rules.tricks import BEATING, CINCH_TRICKS, Position, follow_options, lead_options, restrict_to_cinch

_ALL_CARDS = sum(SUIT_CARDS)


class Situation(NamedTuple):
    """What decides a choice, besides the trumps; cards are sets."""

    legal: int
    unseen: int
    follows: bool
    can_win: bool


class TrickPlayout:
    """Keeps the hands and the trick; players are numbered in the order of play from the first leader."""

    def __init__(self, hands: Sequence[int], trump: Suit, house: HouseRules) -> None:
        self.won = [0] * len(hands)
        self.to_act = 0
        self.trumps = SUIT_CARDS[trump]
        self._hands = list(hands)
        self._trump = trump
        self._house = house
        self._beating = BEATING[trump]
        self._trick: list[Card] = []
        self._best: Card | None = None
        self._winner = 0
        self._seen = 0

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not self._hands[self.to_act]

    @property
    def situation(self) -> Situation:
        """The situation of the player to act."""
        hand = self._hands[self.to_act]
        seen = self._seen
        for card in self._trick:
            seen |= 1 << card
        legal = self._legal(hand)
        wins = self._best is not None and bool(self._beating[self._best] & legal)
        return Situation(legal, _ALL_CARDS & ~(seen | hand), self._best is not None, wins)

    def play(self, card: Card) -> None:
        """Play a card of the player to act."""
        self._hands[self.to_act] ^= 1 << card
        if self._best is None or self._beating[self._best] >> card & 1:
            self._best, self._winner = card, self.to_act
        self._trick.append(card)
        if len(self._trick) < len(self._hands):
            self.to_act = (self.to_act + 1) % len(self._hands)
            return
        for played in self._trick:
            self._seen |= 1 << played
        self.won[self._winner] += 1
        self.to_act, self._trick, self._best = self._winner, [], None

    def _legal(self, hand: int) -> int:
        if not hand & (hand - 1):
            return hand
        if self._best is None:
            allowed = lead_options(hand, self._trump, self._house, first=not self._seen)
        else:
            allowed = follow_options(hand, self._trick[0], self._best, self._trump, self._house)
        last = len(self._trick) == len(self._hands) - 1
        needed = CINCH_TRICKS - self.won[self.to_act]
        if last or not self._house.cinch or not allowed & self.trumps or (hand & self.trumps).bit_count() < needed:
            return allowed
        return restrict_to_cinch(allowed, self._position(hand))

    def _position(self, hand: int) -> Position:
        won = self.won[self.to_act]
        return Position(hand, tuple(self._trick), self._trump, len(self._hands), won, self._seen, 0, self._house)
