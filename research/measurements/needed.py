"""Computes how many deals it takes to tell two bots apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist, fmean, variance

REACH = NormalDist().inv_cdf(0.975)
POWER = NormalDist().inv_cdf(0.8)


@dataclass(frozen=True, slots=True)
class Gap:
    """The measured difference of two bots, and its variance in one format."""

    mean: float
    """The difference in chips per deal."""
    error: float
    """The standard error of the mean."""
    variance: float
    """Variance of a deal in this format: the mean of n deals has this divided by n."""

    @property
    def clear(self) -> bool:
        """Whether the 95 % interval of the mean excludes 0."""
        return abs(self.mean) > REACH * self.error

    @property
    def needed(self) -> float:
        """The number of deals after which the 95 % interval excludes 0 four times in five.

        Where the difference is not clear: the fewest that it may be, by the far end of the interval.
        """
        size = abs(self.mean) + (0 if self.clear else REACH * self.error)
        return (REACH + POWER) ** 2 * self.variance / size**2 if size else inf

    def __str__(self) -> str:
        """The deals needed."""
        return f"{'' if self.clear else '> '}{self.needed:,.0f}"


def gap_of(blocks: Sequence[float], deals: int) -> Gap:
    """Estimates from the differences in chips over at least two blocks of this many deals."""
    spread = variance(blocks) / deals
    return Gap(fmean(blocks) / deals, sqrt(spread / deals / len(blocks)), spread)
