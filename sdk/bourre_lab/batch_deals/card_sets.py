"""Sets of cards as arrays of 64-bit masks. Bit `card` is set for each card, as numbered in `bourre.rules.card`."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bourre.rules.cards import DECK, HIGHER, SUIT_CARDS, card_set
from bourre.rules.tricks import BEATING, HONOURS

Sets: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

FIRST_CARD: Final = int(DECK[0])
CARD_COUNT: Final = len(DECK)
ONE: Final = np.uint64(1)
NONE: Final = np.uint64(0)
_CODES: Final = 64
SUIT_SETS: Final[Sets] = np.array(SUIT_CARDS, dtype=np.uint64)
HONOUR_SET: Final = np.uint64(HONOURS)
KINGS: Final = np.uint64(card_set(card for card in DECK if card.rank >= 13))
"""The kings and aces."""
ACES: Final = np.uint64(card_set(card for card in DECK if card.rank == 14))
HIGHER_SETS: Final[Sets] = np.array([*HIGHER, *[0] * (_CODES - len(HIGHER))], dtype=np.uint64)
"""The higher cards of the suit, by card number."""
BEATING_SETS: Final[Sets] = np.array([[*row, *[0] * (_CODES - len(row))] for row in BEATING], dtype=np.uint64)
"""The cards that beat a card, by trump suit and card number (R5.1)."""


def sets_of(cards: Ints) -> Sets:
    """Returns the set of each card alone."""
    return ONE << cards.astype(np.uint64)


def count(sets: Sets) -> Ints:
    """Returns the number of cards in each set."""
    return np.bitwise_count(sets).astype(np.int64)


def lowest(sets: Sets) -> Ints:
    """Returns the number of each set's lowest card; 64 for an empty set."""
    return count((sets & (~sets + ONE)) - ONE)


def highest(sets: Sets) -> Ints:
    """Returns the number of each set's highest card; -1 for an empty set.

    The 52 cards span 52 bits, which a 64-bit float holds exactly.
    """
    return np.frexp(sets.astype(np.float64))[1].astype(np.int64) - 1


def has(sets: Sets, cards: Ints) -> Flags:
    """Returns whether each set contains the card at the same place."""
    held: Flags = (sets >> cards.astype(np.uint64)) & ONE != NONE
    return held


def sorted_cards(sets: Sets, most: int) -> Ints:
    """Returns the cards of each set, lowest first, as an array of shape (sets, most), padded with 64."""
    cards = np.empty((len(sets), most), dtype=np.int64)
    left = sets.copy()
    for column in range(most):
        cards[:, column] = lowest(left)
        left &= left - ONE
    return cards


def spread(sets: Sets) -> NDArray[np.uint8]:
    """Returns the cards of each set as 0 and 1, of shape (sets, 13 ranks, 4 suits), lowest rank first."""
    octets = np.ascontiguousarray(sets.astype("<u8")).view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")
    return bits[:, FIRST_CARD : FIRST_CARD + CARD_COUNT].reshape(-1, CARD_COUNT // 4, 4)
