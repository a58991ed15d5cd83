"""Cards, suits, and sets of cards as bit masks.

A card is the number `4 * rank + suit` (rank 2 to 14, suit 0 to 3), so cards order themselves by rank and then C D H S,
and a set of cards is an integer with bit `card` set for each of its cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from bourre.rules.errors import InvalidCard

RANKS = "23456789TJQKA"
SUITS = "CDHS"
FIRST_RANK = 2


class Suit(IntEnum):
    """One of the four suits; its text is its letter."""

    C = 0
    D = 1
    H = 2
    S = 3

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    @classmethod
    def parse(cls, text: str) -> Suit:
        """The suit of a letter C, D, H or S; anything else raises InvalidCard."""
        try:
            return cls[text]
        except KeyError:
            raise InvalidCard(f"{text!r} is no suit: write one of C D H S") from None


class Card(int):
    """One of the 52 cards: `Card("QS")` is the queen of spades. Ordered by rank, then C D H S."""

    __slots__ = ()

    def __new__(cls, text: str) -> Card:
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise InvalidCard(f"{text!r} is no card: write rank then suit, as in AS, TH, 2C") from None

    @property
    def rank(self) -> int:
        """2 to 14; 11 is the jack, 14 the ace."""
        return self >> 2

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUITS[self & 3]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(_TEXTS[self], spec)

    def __repr__(self) -> str:
        return f"Card({_TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (_TEXTS[self],)


_SUITS = tuple(Suit)
_TEXTS = {
    4 * rank + suit: RANKS[rank - FIRST_RANK] + SUITS[suit]
    for rank in range(FIRST_RANK, FIRST_RANK + len(RANKS))
    for suit in range(len(SUITS))
}
_BY_INDEX = {index: int.__new__(Card, index) for index in _TEXTS}
_BY_SET = {1 << index: card for index, card in _BY_INDEX.items()}
"""Each card by the set that holds nothing else."""
_BY_TEXT = {text: _BY_INDEX[index] for index, text in _TEXTS.items()}

DECK: tuple[Card, ...] = tuple(_BY_INDEX.values())
SUIT_CARDS: tuple[int, ...] = tuple(sum(1 << card for card in DECK if card.suit == suit) for suit in Suit)
HIGHER: dict[int, int] = {
    card: sum(1 << other for other in DECK if other.suit == card.suit and other > card) for card in DECK
}
"""For each card the set of the higher cards of its suit."""


def cards_in(cards: int) -> tuple[Card, ...]:
    """The cards of a set, lowest first."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(_BY_SET[lowest])
        cards ^= lowest
    return tuple(found)


def card_set(cards: Iterable[Card]) -> int:
    """The set of these cards; a card named twice counts once."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def lowest(cards: int) -> Card:
    """The lowest card (rank first, then C D H S) of a set that is not empty."""
    return _BY_SET[cards & -cards]


def highest(cards: int) -> Card:
    """The highest card (rank first, then C D H S) of a set that is not empty."""
    return _BY_INDEX[cards.bit_length() - 1]


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text such as `AS KH 2C`, in its order; raises InvalidCard, also for a card named twice."""
    cards = tuple(Card(word) for word in text.split())
    if len(set(cards)) < len(cards):
        raise InvalidCard(f"{text!r} names a card twice")
    return cards


def show(cards: Iterable[Card]) -> str:
    """The text of these cards in their order: `AS KH 2C`."""
    return " ".join([_TEXTS[card] for card in cards])
