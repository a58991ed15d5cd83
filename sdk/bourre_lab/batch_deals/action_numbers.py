"""The numbers of all actions and decisions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from bourre.rules.cards import DECK

SUBSETS: Final = 32
"""The number of sets of discards. Bit i of a set stands for the i-th lowest card of the hand."""
PASS: Final = 0
"""Passes; in a second pass, leaves."""
COME_IN: Final = 1
"""Comes in, draws or stays: plus the set of discards, 0 to 31."""
TAKE: Final = COME_IN + SUBSETS
"""The same, and takes the turned card for one of the discards (R3.2)."""
NAME_TRUMP: Final = TAKE + SUBSETS
"""Names a trump suit: plus the suit."""
CARD_ACTIONS: Final = NAME_TRUMP + 4 - int(DECK[0])
"""Plays a card: plus its number, 8 to 59."""
ACTIONS: Final = NAME_TRUMP + 4 + len(DECK)
"""The number of actions."""


class Asked(IntEnum):
    """The decision of the seat to act."""

    NAME_TRUMP = 0
    ENTER = 1
    """Pass, or come in with discards (R4.1, `turn`)."""
    DECLARE = 2
    DRAW = 3
    STAY = 4
    PLAY = 5
    NOTHING = 6
    """The deal is over."""
