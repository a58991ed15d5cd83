"""Answers before the play, for players in step that choose who comes in and what is weak."""

from __future__ import annotations

import numpy as np

from bourre_lab.batch_deals import LockstepDeals
from bourre_lab.batch_deals.action_numbers import COME_IN, PASS, Asked
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets, has, sorted_cards

HAND = 5


def answers(deals: LockstepDeals, rows: Ints, comes: Flags, weak: Sets) -> Ints:
    """Returns the actions before the play of seats that come in or not, and discards these cards, lowest first."""
    asked = deals.asked[rows]
    cards = sorted_cards(deals.state.hands[rows, deals.to_act[rows]], HAND)
    thrown = has(weak[:, None], np.minimum(cards, 63)) & (cards < 64)
    thrown &= thrown.cumsum(axis=1) <= deals.max_discards
    draws = COME_IN + (thrown << np.arange(HAND)).sum(axis=1)
    actions = np.where(asked == Asked.DECLARE, COME_IN, draws)
    return np.where(comes | (asked == Asked.DRAW), actions, PASS)
