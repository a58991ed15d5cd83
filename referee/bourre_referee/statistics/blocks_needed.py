"""How much more must be played to tell two bots apart."""

from __future__ import annotations

from collections.abc import Sequence

from bourre_referee.statistics.estimates import Block
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, judged, sums

MOST = 10**9
"""Blocks: who needs more than that will not play them."""


def blocks_needed(blocks: Sequence[Block], level: float = LEVEL, margin: float | None = None) -> int | None:
    """How many more blocks until there is a verdict, if all goes on as it went; 0 when there is one already.

    The mean and the mean square stay as they were. It is a guess, and a poor one while the difference is small against
    its interval. None where there is nothing to go by (see `PILOT`), or it would take more than a billion.
    """
    known = sums(blocks)
    if known is None:
        return None

    def decided(number: int) -> bool:  # if so many blocks decide it, more of them do
        return judged(known.after(number), level, margin) is not Verdict.UNDECIDED

    if not decided(MOST):
        return None
    low, high = known.blocks - 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high - known.blocks
