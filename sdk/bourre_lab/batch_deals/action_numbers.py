"""The numbers of all actions, and of the decisions that ask for them."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from bourre.rules.cards import DECK

SUBSETS: Final = 32
"""Sets of discards: bit i stands for the i-th lowest card of the hand."""
PASS: Final = 0
"""Pass; in a second pass, leave."""
COME_IN: Final = 1
"""Come in, or draw, or stay: plus the set of discards, 0 to 31."""
TAKE: Final = COME_IN + SUBSETS
"""Likewise, taking the turned card for one of the discards (R3.2)."""
NAME_TRUMP: Final = TAKE + SUBSETS
"""Name a trump suit: plus the suit."""
CARD_ACTIONS: Final = NAME_TRUMP + 4 - int(DECK[0])
"""Play a card: plus its number, 8 to 59."""
ACTIONS: Final = NAME_TRUMP + 4 + len(DECK)
"""How many actions there are."""


class Asked(IntEnum):
    """What a deal asks of its seat to act."""

    NAME_TRUMP = 0
    ENTER = 1
    """Pass, or come in with discards (R4.1, `turn`)."""
    DECLARE = 2
    DRAW = 3
    STAY = 4
    PLAY = 5
    NOTHING = 6
    """The deal is over."""
