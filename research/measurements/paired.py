"""Paired differences: their intervals, and Holm's correction for many of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev

_NORMAL = NormalDist()
_REACH = _NORMAL.inv_cdf(0.975)
LEVEL = 0.025
"""Level of the one-sided test that corresponds to the lower end of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of paired differences, with a normal approximation."""

    mean: float
    error: float
    """Standard error of the mean."""
    count: int

    @property
    def reach(self) -> float:
        """Half the 95 % interval."""
        return _REACH * self.error

    @property
    def chance(self) -> float:
        """One-sided p-value of a mean this high if the true mean is 0."""
        if self.error == 0:
            return 0.0 if self.mean > 0 else 1.0
        return 1 - _NORMAL.cdf(self.mean / self.error)


def difference(values: Sequence[float]) -> Difference:
    """Estimates the mean of at least two differences."""
    return Difference(fmean(values), stdev(values) / sqrt(len(values)), len(values))


def gains(differences: Sequence[Difference]) -> list[bool]:
    """Returns for each whether it is above 0 by Holm's step-down procedure over all of them (Holm 1979)."""
    order = sorted(range(len(differences)), key=lambda index: differences[index].chance)
    found = [False] * len(differences)
    for place, index in enumerate(order):
        if differences[index].chance > LEVEL / (len(order) - place):
            break
        found[index] = True
    return found
