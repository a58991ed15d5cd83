"""Simple ways to choose among the legal cards, out of which each bot's play of tricks is predicted.

A choice is a function of what the seat itself sees; cards are sets, `unseen` those that may be in other hands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bourre.rules.cards import HIGHER, Card, cards_in, highest, lowest

Choice = Callable[[int, int, int], Card]
"""Chooses one of these legal cards, given the unseen ones and the trumps."""


def masters(legal: int, unseen: int, trumps: int) -> int:
    """Return those of the cards that no unseen card beats."""
    found = 0
    for card in cards_in(legal):
        if not HIGHER[card] & unseen and (trumps >> card & 1 or not trumps & unseen):
            found |= 1 << card
    return found


def _highest(legal: int, _unseen: int, _trumps: int) -> Card:
    return highest(legal)


def _lowest(legal: int, _unseen: int, _trumps: int) -> Card:
    return lowest(legal)


def _highest_trump(legal: int, _unseen: int, trumps: int) -> Card:
    return highest(legal & trumps or legal)


def _highest_side_card(legal: int, _unseen: int, trumps: int) -> Card:
    return highest(legal & ~trumps or legal)


def _lowest_trump(legal: int, _unseen: int, trumps: int) -> Card:
    return lowest(legal & trumps or legal)


def _lowest_side_card(legal: int, _unseen: int, trumps: int) -> Card:
    return lowest(legal & ~trumps or legal)


def _master_or_highest(legal: int, unseen: int, trumps: int) -> Card:
    safe = masters(legal, unseen, trumps)
    return highest(safe & trumps or safe or legal)


def _master_or_lowest(legal: int, unseen: int, trumps: int) -> Card:
    safe = masters(legal, unseen, trumps)
    return highest(safe & trumps or safe) if safe else lowest(legal & ~trumps or legal)


def _lowest_master(legal: int, unseen: int, trumps: int) -> Card:
    return lowest(masters(legal, unseen, trumps) or legal & ~trumps or legal)


LEADS: Final[tuple[Choice, ...]] = (
    _highest,
    _lowest,
    _highest_trump,
    _highest_side_card,
    _lowest_trump,
    _lowest_side_card,
    _master_or_highest,
    _master_or_lowest,
)
"""How a seat may lead; what is listed first is assumed of a bot of which nothing is known."""

FOLLOWS: Final[tuple[Choice, ...]] = (_lowest, _highest, _lowest_side_card, _lowest_master)
"""How a seat may follow, likewise."""
