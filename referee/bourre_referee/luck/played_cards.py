"""The cards of one deal that is over, as a public record shows them."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """Hands after the draw, and the cards in the order of play; players are numbered from the dealer's left."""

    order: tuple[int, ...]
    """The seats that played."""
    hands: tuple[int, ...]
    trump: Suit
    cards: tuple[tuple[int, Card], ...]
    """Player and card."""
