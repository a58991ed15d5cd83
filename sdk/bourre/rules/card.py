"""A card and its suit.

A card is the number `4 * rank + suit` (rank 2 to 14, suit 0 to 3), so cards order themselves by rank and then C D H S.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from bourre.rules.errors import InvalidCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
FIRST_RANK: Final = 2


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
            return BY_TEXT[text]
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
        return TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(TEXTS[self], spec)

    def __repr__(self) -> str:
        return f"Card({TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (TEXTS[self],)


_SUITS = tuple(Suit)
TEXTS = {
    4 * rank + suit: RANKS[rank - FIRST_RANK] + SUITS[suit]
    for rank in range(FIRST_RANK, FIRST_RANK + len(RANKS))
    for suit in range(len(SUITS))
}
"""The text of each card."""
BY_TEXT = {text: int.__new__(Card, index) for index, text in TEXTS.items()}
"""Each card by its text."""

DECK: Final[tuple[Card, ...]] = tuple(BY_TEXT.values())
"""All cards in their order."""
