"""How much more must be played to tell two bots apart."""

from __future__ import annotations

from collections.abc import Sequence

from bourre_referee.stats import Block
from bourre_referee.stopping.boundary import LEVEL, Sums, boundary, sums

MOST = 10**9
"""Blocks: who needs more than that will not play them."""


def blocks_needed(blocks: Sequence[Block], level: float = LEVEL) -> int | None:
    """How many more blocks until the boundary is reached, if all goes on as it went; 0 when it is reached already.

    The mean and the mean square stay as they were. It is a guess, and a poor one while the difference is small against
    its interval. None where there is nothing to go by (see `PILOT`), or it would take more than a billion.
    """
    known = sums(blocks)
    if known is None or not _reached(known, MOST, level):
        return None
    low, high = known.blocks - 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reached(known, middle, level) else (middle, high)
    return high - known.blocks


def _reached(known: Sums, blocks: int, level: float) -> bool:
    """Whether this many blocks like those that are known reach the boundary; if so, more of them do."""
    times = blocks / known.blocks
    return abs(known.total) * times >= boundary(known.squares * times, known.scale, level)
