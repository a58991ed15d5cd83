"""The kinds of decisions at which two players of one seat may first part."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.action_numbers import PASS
from bourre_lab.batch_deals.card_sets import Ints


class FirstDifference(IntEnum):
    """What the new player does otherwise than the old one."""

    PASSES = 0
    """Passes or leaves where the old one comes in or stays."""
    COMES_IN = 1
    """Comes in or stays where the old one passes or leaves."""
    DISCARDS = 2
    """Discards other cards, or takes or leaves the turned card."""
    NAMES_TRUMP = 3
    TRICK_1 = 4
    """Plays another card to the first trick."""
    TRICK_2 = 5
    TRICK_3 = 6
    TRICK_4 = 7
    TRICK_5 = 8


def differences_of(deals: LockstepDeals, rows: Ints, old: Ints, new: Ints) -> Ints:
    """Returns the `FirstDifference` of two actions in each of these deals."""
    asked, tricks = deals.asked[rows], deals.state.tricks[rows]
    drawing = asked != Asked.NAME_TRUMP
    before = np.where(drawing, FirstDifference.DISCARDS, FirstDifference.NAMES_TRUMP)
    before = np.where(drawing & (new == PASS), FirstDifference.PASSES, before)
    before = np.where(drawing & (old == PASS), FirstDifference.COMES_IN, before)
    return np.where(asked == Asked.PLAY, FirstDifference.TRICK_1 + tricks, before)
