"""A completed trick: who led, which cards fell, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bourre.rules.cards import Card, Suit
from bourre.rules.tricks import best_card


class Trick(NamedTuple):
    """A completed trick."""

    leader: int
    cards: tuple[Card, ...]
    """In the order in which they were played, from the leader."""
    winner: int


def trick_of(leader: int, cards: tuple[Card, ...], order: Sequence[int], trump: Suit) -> Trick:
    """Builds the trick of these cards, one from each seat in `order`, and finds its winner (R5.1)."""
    best = cards.index(best_card(cards, trump))
    return Trick(leader, cards, order[(order.index(leader) + best) % len(order)])
