"""How a deal ends in chips."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S", bound=Hashable)
"""A seat: its number in a match, or any name when the rules are used by themselves."""


class Settlement(NamedTuple, Generic[S]):
    """How a deal ends in chips; seats in the order in which they were given."""

    winner: S | None
    taken: dict[S, int]
    """Chips each seat takes from the pot."""
    carry: int
    """Chips that nobody takes: they stay in the pot."""
    payments: dict[S, int]
    """Chips that each seat pays to match the pot, for bourré or a renege; they go into the next pot."""
    exempt: tuple[S, ...]
    """Seats that owe no ante for the next deal (R2.2)."""
    tied: tuple[S, ...]
    forfeit_deal: tuple[S, ...]
    """Seats that forfeit a turn to deal, once per corrected renege (R8.2)."""
    next_pot: int
    """Chips in the pot before the next antes."""
