"""The order of a hand that people look at: trumps first, then suits that alternate in colour, high cards first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

from bourre.rules.cards import Card, Suit

RED = (Suit.D, Suit.H)
SUIT_ORDER = (Suit.S, Suit.H, Suit.C, Suit.D)
"""The order of the suits of a whole hand without trumps."""


def sort_hand(cards: Iterable[Card], trump: Suit | None = None) -> tuple[Card, ...]:
    """Returns the cards in the order in which people hold them."""
    held = tuple(cards)
    suits = _order_suits({card.suit for card in held}, trump)
    return tuple(sorted(held, key=lambda card: (suits.index(card.suit), -card.rank)))


def _order_suits(suits: set[Suit], trump: Suit | None) -> Sequence[Suit]:
    """Orders these suits so that as few neighbours as possible have the same colour."""
    first = [trump] if trump is not None and trump in suits else []
    others = [suit for suit in SUIT_ORDER if suit in suits and suit != trump]
    return min(([*first, *order] for order in permutations(others)), key=_same_neighbours)


def _same_neighbours(suits: Sequence[Suit]) -> int:
    return sum((one in RED) == (other in RED) for one, other in pairwise(suits))
