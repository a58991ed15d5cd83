"""The boundary of `bourre compare`, corrected for skewness: the evidence without a known bound.

The normal-mixture boundary (`stopping_boundary`) is right if a difference is as likely above the true mean as below it.
Its interval ends at a critical t on both sides. Where the observed differences are skewed, each end moves outwards to
where Hall's corrected t reaches that value. No end ever moves inwards, so symmetric differences keep their guarantee.

Hall's correction needs at least one of the large losses that skew the differences. If they come in one deal of n, they
are missing in 5n deals with a probability of 0.7 %. So there is no verdict before FEWEST_DEALS.

A comparison of at most FEWEST_DEALS looks only once, at its end. Then Student's t, corrected in the same way, takes the
place of the boundary, which pays for looks that never come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

from bourre_referee.evaluation.compare.evidence import Interval
from bourre_referee.statistics.estimates import Block, divide, t_quantile
from bourre_referee.statistics.hall import hall, inverse_hall
from bourre_referee.statistics.stopping_boundary import LEVEL, Sums, half_width, ratio_for, sum_blocks

FEWEST_DEALS = 200
"""There is no verdict before this many deals, unless the budget is smaller."""

MISSED = 5
"""Losses that come in one deal of n are missing in MISSED * n deals with a probability of 0.7 %."""


@dataclass(frozen=True, slots=True)
class SkewedSums:
    """The sums of the differences so far, and how lopsided their mean is."""

    sums: Sums
    skewness: float
    """Of the mean: that of a block, divided by the root of their number."""
    fewest: int
    """How many blocks a verdict needs."""
    looks_once: bool = False
    """Whether a verdict is sought only once."""

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.sums.blocks

    @property
    def mean(self) -> float:
        """The mean difference of a block."""
        return self.sums.total / self.sums.blocks

    def rejects(self, mean: float) -> bool:
        """Returns whether the interval excludes this mean."""
        half, error = self._half_width, self._error
        return half is not None and abs(hall((self.mean - mean) / error, self.skewness)) > half / error

    def interval(self) -> Interval | None:
        """Returns the means that are not rejected. None while there are too few blocks to bound them."""
        half, error = self._half_width, self._error
        if half is None:
            return None
        low, high = (error * inverse_hall(half / error, skewness) for skewness in (self.skewness, -self.skewness))
        return self.mean - low, self.mean + high

    def extrapolate(self, blocks: int) -> SkewedSums:
        """Returns the sums after this many blocks if they go on like these."""
        return replace(self, sums=self.sums.extrapolate(blocks), skewness=self.skewness * sqrt(self.blocks / blocks))

    @property
    def _half_width(self) -> float | None:
        """Half of the interval, if the differences were symmetric."""
        if self.blocks < self.fewest:
            return None
        if self.looks_once:
            return t_quantile(1 - LEVEL / 2, self.blocks - 1) * self._error * sqrt(self.blocks / (self.blocks - 1))
        return half_width(self.sums)

    @property
    def _error(self) -> float:
        """The standard error of the mean. If all blocks are equal, any scale serves."""
        return sqrt(max(self.sums.squares - self.sums.total * self.mean, 0)) / self.blocks or 1.0


def skewed_sums(blocks: Sequence[Block], budget: int) -> SkewedSums | None:
    """Returns the sums over these blocks of a comparison of at most `budget`. None during the pilot."""
    sums = sum_blocks(blocks, ratio_for(budget))
    if sums is None:
        return None
    return SkewedSums(sums, skewness_of_mean(blocks), min(FEWEST_DEALS, budget), looks_once=budget <= FEWEST_DEALS)


def skewness_of_mean(blocks: Sequence[Block]) -> float:
    """Returns the sum of cubed deviations from the mean, divided by the sum of their squares to the 3/2."""
    number, total = len(blocks), sum(block.chips for block in blocks)
    deviations = [number * block.chips - total for block in blocks]
    squares = sum(deviation**2 for deviation in deviations)
    cubes = sum(deviation**3 for deviation in deviations)
    size = sqrt(divide(cubes**2, squares**3)) if squares else 0.0
    return -size if cubes < 0 else size
