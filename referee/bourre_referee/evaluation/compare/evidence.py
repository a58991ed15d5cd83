"""What the deals so far show about two bots: an interval that holds whenever one looks, and the verdict by it."""

from __future__ import annotations

from typing import Protocol

from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.statistics.undecided_pairs import fewest_blocks

Interval = tuple[float, float]


class Evidence(Protocol):
    """A confidence sequence for the mean difference of a block (Waudby-Smith and Ramdas 2024).

    With probability 1 - LEVEL its interval contains the true mean after every block.
    """

    @property
    def blocks(self) -> int:
        """The number of blocks."""

    @property
    def mean(self) -> float:
        """The mean difference of a block."""

    def rejects(self, mean: float) -> bool:
        """Returns whether the interval excludes this mean."""

    def interval(self) -> Interval | None:
        """Returns the means that are not rejected. None while there are too few blocks to bound them."""

    def extrapolate(self, blocks: int) -> Evidence:
        """Returns the evidence after this many blocks if they go on like these."""


def verdict_of(evidence: Evidence, margin: float | None) -> Verdict:
    """Decides which of two bots is better, by the differences first - second.

    EQUAL means that the mean difference of a block is closer to 0 than `margin`, and that neither bot is known to be
    better.
    """
    if evidence.rejects(0):
        return Verdict.FIRST if evidence.mean > 0 else Verdict.SECOND
    if margin is None or abs(evidence.mean) >= margin:
        return Verdict.UNDECIDED
    return Verdict.EQUAL if evidence.rejects(-margin) and evidence.rejects(margin) else Verdict.UNDECIDED


def blocks_to_verdict(evidence: Evidence, margin: float | None) -> int | None:
    """Predicts how many more blocks a verdict takes if they go on like these. 0 if there is one, None if unknown."""

    def decides(number: int) -> bool:
        return verdict_of(evidence.extrapolate(number), margin) is not Verdict.UNDECIDED

    fewest = fewest_blocks(decides, evidence.blocks)
    return None if fewest is None else fewest - evidence.blocks
