"""Does a bot decide otherwise where another bot has a role at the table than where a third one has it?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.pair_findings import Favour

Values = NDArray[np.float64]
Places = NDArray[np.intp]

_LEAST_WEIGHT: Final = 1e-9
_PRIOR: Final = 10
"""The spread in a situation is estimated as if so many decisions had the mean spread."""


class Scores:
    """The scores of some decisions of one bot, less what the situation and the champion's judgement explain."""

    def __init__(
        self,
        scores: Sequence[float],
        situations: Sequence[Hashable],
        blocks: Sequence[Hashable],
        sound: Sequence[float],
    ) -> None:
        self._situations, self._blocks = _numbered(situations), _numbered(blocks)
        self._sizes = np.bincount(self._situations)
        self._sound = self._centred(np.array(sound, dtype=float))
        self._scores = _without(self._centred(np.array(scores, dtype=float)), self._sound)
        squares = self._scores**2
        sums = np.bincount(self._situations, squares) + _PRIOR * squares.mean()
        self._variances = (sums / (self._sizes + _PRIOR))[self._situations]

    def contrast(self, role: Sequence[bool], allowance: float, friend: Sequence[bool] | None = None) -> Favour | None:
        """Compares the decisions in which another bot has the role with others in the same situations.

        If the bot has another friend, what that one's role explains is left out. None if there is nothing to compare.
        The sum of the deals' contributions is divided by the root of the sum of their squares, or by what the scores'
        spread makes of it if that is more. So divided, a sum of symmetric terms is at least z with a chance of at most
        exp(-z²/2) (Efron, Journal of the American Statistical Association 64, 1969).
        """
        roles, scores = self._own_part(role), self._scores
        if friend is not None:
            other = self._own_part(friend)
            roles, scores = _without(roles, other), _without(scores, other)
        weight = float(roles @ roles)
        if weight < _LEAST_WEIGHT:
            return None
        parts = np.bincount(self._blocks, roles * (scores - allowance * roles))
        total = float(parts.sum())
        spread = max(float(parts @ parts), float(roles**2 @ self._variances))
        p = exp(-((total / sqrt(spread)) ** 2) / 2) if total > 0 and spread > 0 else 1.0
        return Favour(float(scores @ roles) / weight, p)

    def _own_part(self, role: Sequence[bool]) -> Values:
        return _without(self._centred(np.array(role, dtype=float)), self._sound)

    def _centred(self, values: Values) -> Values:
        """Returns the values less their mean in the same situation."""
        means: Values = np.bincount(self._situations, values) / self._sizes
        return values - means[self._situations]


def _without(values: Values, explanation: Values) -> Values:
    """Returns what is left of these values by least squares; all have the mean 0."""
    length = float(explanation @ explanation)
    return values - explanation * (float(values @ explanation) / length) if length > _LEAST_WEIGHT else values


def _numbered(keys: Sequence[Hashable]) -> Places:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
