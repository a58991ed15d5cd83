"""The choices that the networks judge, and their actions in `bourre_lab.batch_deals`."""

from __future__ import annotations

from typing import Final

import numpy as np

from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS, COME_IN, NAME_TRUMP, PASS, SUBSETS, TAKE, Asked
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets, has, sorted_cards
from bourre_lab.batch_deals.state import Small
from bourre_lab.champion.network_inputs import ordered_cards

PASSES: Final = 0
"""Passes or leaves."""
DISCARDS: Final = 1
"""Comes in or draws, with a set of slots as discards. Bit i is the i-th best card: trumps first, then by rank."""
COMES_IN: Final = DISCARDS + SUBSETS
"""Comes in without discards, which are asked for later, or stays."""
NAMES: Final = COMES_IN + 1
"""Names the suit at this place in the order of suits."""
ENTRY_CHOICES: Final = NAMES + 4
CARD_CHOICES: Final = 52
_HAND: Final = 5
_BITS: Final = (np.arange(SUBSETS)[:, None] >> np.arange(_HAND)) & 1
_SIZES: Final = _BITS.sum(axis=1)


def slots_of(hands: Sets, trumps: Ints) -> Ints:
    """Returns the place of each slot's card in the sorted hand. A missing fifth card has the last slot."""
    cards = sorted_cards(hands, _HAND)
    keys = np.where(cards == 64, -1, cards + 64 * (cards & 3 == trumps[:, None]))
    return np.argsort(-keys, axis=1, kind="stable")


def entry_choices(asked: Small, hands: Sets, trumps: Ints, most: Ints | int) -> Flags:
    """Returns the sensible choices before the play, of shape (rows, ENTRY_CHOICES).

    `most` is the most cards that may be discarded: one number, or one for each row, of shape (rows, 1). Discards that
    keep a lower card of the same suit are left out.
    """
    allowed = np.zeros((len(hands), ENTRY_CHOICES), dtype=np.bool_)
    allowed[:, PASSES] = np.isin(asked, (Asked.ENTER, Asked.DECLARE, Asked.STAY))
    allowed[:, COMES_IN] = np.isin(asked, (Asked.DECLARE, Asked.STAY))
    allowed[:, NAMES : NAMES + 4] = (asked == Asked.NAME_TRUMP)[:, None]
    draws = (asked == Asked.ENTER) | (asked == Asked.DRAW)
    allowed[:, DISCARDS:COMES_IN] = draws[:, None] & _sensible_discards(hands, trumps) & (most >= _SIZES)
    return allowed


def _sensible_discards(hands: Sets, trumps: Ints) -> Flags:
    cards = np.take_along_axis(sorted_cards(hands, _HAND), slots_of(hands, trumps), axis=1)
    sensible = np.ones((len(hands), SUBSETS), dtype=np.bool_)
    for high in range(_HAND):
        for low in range(high + 1, _HAND):
            same = (cards[:, high] & 3 == cards[:, low] & 3) & (cards[:, low] < 64)
            split = (_BITS[:, high] == 1) & (_BITS[:, low] == 0)
            sensible &= ~(same[:, None] & split)
    missing = cards[:, -1] == 64
    sensible &= ~(missing[:, None] & (_BITS[:, -1] == 1))
    return sensible


def entry_actions(choices: Ints, hands: Sets, trumps: Ints, order: Ints, takes: Flags | bool = False) -> Ints:
    """Returns the action of each of these choices before the play.

    Where a seat `takes`, it takes the turned card for one of its discards, if it has any.
    """
    slots = slots_of(hands, trumps)
    subset = np.clip(choices - DISCARDS, 0, SUBSETS - 1)
    discards = (_BITS[subset] << slots).sum(axis=1)
    named = np.take_along_axis(order, np.clip(choices - NAMES, 0, 3)[:, None], axis=1)[:, 0]
    drawn = np.where(takes & (discards > 0), TAKE, COME_IN) + discards
    actions = np.where(choices < COMES_IN, drawn, COME_IN)
    actions = np.where(choices >= NAMES, NAME_TRUMP + named, actions)
    return np.where(choices == PASSES, PASS, actions)


def card_choices(legal: Sets, order: Ints) -> Flags:
    """Returns the legal cards as flags of shape (rows, 52), suit by suit in this order."""
    return has(legal[:, None], ordered_cards(order))


def card_actions(choices: Ints, order: Ints) -> Ints:
    """Returns the action that plays each of these cards."""
    return np.take_along_axis(ordered_cards(order), choices[:, None], axis=1)[:, 0] + CARD_ACTIONS
