"""Puts the suits in an order that depends on the cards alone: trumps first, then by the highest cards held."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre_lab.lockstep.card_sets import CARD_COUNT, FIRST_CARD, Ints, Sets, spread

RANKS: Final = CARD_COUNT // 4
_RANK_VALUES: Final = 1 << np.arange(RANKS)
_TRUMPS_FIRST: Final = 1 << RANKS
Bits = NDArray[np.float32]


def suit_order(hands: Sets, trumps: Ints) -> Ints:
    """Returns the suits of each hand in order, of shape (hands, 4); a trump of -1 is not named yet."""
    keys = np.tensordot(spread(hands).astype(np.int64), _RANK_VALUES, axes=([1], [0]))
    named = np.flatnonzero(trumps >= 0)
    keys[named, trumps[named]] += _TRUMPS_FIRST
    return np.argsort(-keys, axis=1, kind="stable")


def ordered_bits(sets: Sets, order: Ints) -> Bits:
    """Returns each set as 52 zeros and ones, suit by suit in this order, the lowest rank of each first."""
    bits = np.take_along_axis(spread(sets), order[:, None, :], axis=2)
    return bits.transpose(0, 2, 1).reshape(len(sets), CARD_COUNT).astype(np.float32)


def ordered_cards(order: Ints) -> Ints:
    """Returns the card number at each of the 52 places of `ordered_bits`, of shape (orders, 52)."""
    ranks = np.arange(RANKS) * 4 + FIRST_CARD
    cards: Ints = (order[:, :, None] + ranks).reshape(len(order), CARD_COUNT)
    return cards
