"""Settles many deals without reneges (R7); `bourre.rules.pot` is the same for one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.lockstep.card_sets import Flags, Ints


@dataclass(frozen=True, slots=True)
class Settlements:
    """How deals end in chips."""

    chips: Ints
    """What each seat takes less what it pays to match the pot, of shape (deals, seats)."""
    exempt: Flags
    """The seats that owe no ante for the next deal (R2.2), of shape (deals, seats)."""
    next_pot: Ints
    """Chips in the pot before the next antes."""


def settle_deals(pot: Ints, plays: Flags, won: Ints, house: HouseRules) -> Settlements:
    """Settles deals by the tricks `won` of the seats that play; a lone player has won at least one."""
    limited = pot if house.pot_limit is None else np.minimum(pot, house.pot_limit)
    most = won.max(axis=1, keepdims=True)
    top = (won == most) & (most > 0)
    leaders = top.sum(axis=1)
    share = np.where(leaders == 1, limited, 0)
    if house.tie == "divide":
        share = limited // np.maximum(leaders, 1)
    bourred = plays & (won == 0)
    taken, paid = top * share[:, None], bourred * limited[:, None]
    exempt = bourred & (paid > 0) & house.exempt_bourre
    if house.exempt_tied:
        exempt |= top & (leaders > 1)[:, None]
    next_pot = pot - taken.sum(axis=1) + paid.sum(axis=1)
    return Settlements(taken - paid, exempt, next_pot)
