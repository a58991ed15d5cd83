"""Sets of cards as bit masks: an integer in which bit `card` is set for each card (see `card` for the numbers)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bourre.rules.card import DECK, RANKS, SUITS, TEXTS, Card, Suit
from bourre.rules.errors import InvalidCard

__all__ = [
    "DECK",
    "HIGHER",
    "RANKS",
    "SUITS",
    "SUIT_CARDS",
    "Card",
    "Suit",
    "card_set",
    "cards_in",
    "highest",
    "lowest",
    "parse_cards",
    "show",
]

_LOWEST_NUMBER: Final = 8
"""The number of the two of clubs, the lowest card."""
_BY_SET: Final = tuple({(1 << card) % 67: card for card in DECK}.get(remainder, DECK[0]) for remainder in range(67))
"""Each card by the set of it alone, modulo 67. The first 66 powers of 2 all differ modulo 67."""

SUIT_CARDS: Final[tuple[int, ...]] = tuple(
    sum(1 << number for number in range(_LOWEST_NUMBER + suit, _LOWEST_NUMBER + len(DECK), len(SUITS)))
    for suit in range(len(SUITS))
)
HIGHER: Final[tuple[int, ...]] = (
    *[0] * _LOWEST_NUMBER,
    *[SUIT_CARDS[number % len(SUITS)] >> number + 1 << number + 1 for number in map(int, DECK)],
)
"""For each card, the set of the higher cards of its suit."""


def cards_in(cards: int) -> tuple[Card, ...]:
    """Returns the cards of a set, lowest first."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(_BY_SET[lowest % 67])
        cards ^= lowest
    return tuple(found)


def card_set(cards: Iterable[int]) -> int:
    """Returns the set of these cards. Repeated cards count once."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def lowest(cards: int) -> Card:
    """Returns the lowest card (by rank, then C D H S) of a nonempty set."""
    return _BY_SET[(cards & -cards) % 67]


def highest(cards: int) -> Card:
    """Returns the highest card (by rank, then C D H S) of a nonempty set."""
    return DECK[cards.bit_length() - 1 - _LOWEST_NUMBER]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parses a text such as `AS KH 2C` in its order; raises InvalidCard, also for a repeated card."""
    cards = tuple(Card(word) for word in text.split())
    if len(set(cards)) < len(cards):
        raise InvalidCard(f"{text!r} names a card twice")
    return cards


def show(cards: Iterable[Card]) -> str:
    """Writes these cards in their order: `AS KH 2C`."""
    return " ".join([TEXTS[card] for card in cards])
