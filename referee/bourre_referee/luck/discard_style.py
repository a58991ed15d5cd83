"""What a bot discards, as far as its earlier deals show it: side cards below some rank."""

from __future__ import annotations

from typing import Final

from bourre.rules.cards import SUIT_CARDS, Suit, highest

KEPT_RANKS: Final = (13, 14, 12, 11, 10, 15, 9, 8, 7, 6, 5, 4, 3, 2)
"""Ranks from which a bot may keep its side cards; what is listed first is assumed of one of which nothing is known."""


def choose_discards(hand: int, trump: Suit, kept_rank: int, most: int) -> int:
    """Return the side cards below a rank, as a set: at most so many, the lowest."""
    weak = hand & ~SUIT_CARDS[trump] & ((1 << 4 * kept_rank) - 1)
    while weak.bit_count() > most:
        weak ^= 1 << highest(weak)
    return weak


class DiscardCounts:
    """Counts for one bot how many cards each rank would have got wrong."""

    def __init__(self) -> None:
        self._wrong = [0] * len(KEPT_RANKS)

    def count(self, hand: int, trump: Suit, thrown: int, most: int) -> None:
        """Count a discard, perhaps of nothing."""
        for place, rank in enumerate(KEPT_RANKS):
            self._wrong[place] += (choose_discards(hand, trump, rank, most) ^ thrown).bit_count()

    @property
    def kept_rank(self) -> int:
        """The rank that explains most discards."""
        return KEPT_RANKS[self._wrong.index(min(self._wrong))]
