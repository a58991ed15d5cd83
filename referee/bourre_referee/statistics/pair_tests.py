"""Tests which bots of a field differ, all pairs together. Intervals and brackets show the result."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, floor, inf
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.estimates import t_p_value, t_quantile
from bourre_referee.statistics.field_model import FieldModel
from bourre_referee.statistics.fixed_order import Floats
from bourre_referee.statistics.hall import hall

LEAST_WIDTH = 1e-3
"""The least half-width of an interval, in chips per 100 deals."""

MOST_FREEDOM = 1000
"""With more degrees of freedom, quantiles of t hardly change."""

Apart = NDArray[np.bool_]
"""For every two bots in the order of a ranking, whether they are told apart."""


def p_values(model: FieldModel) -> Floats:
    """Returns for every two bots the two-sided p-value that their effects are equal. 1 where there is no test."""
    known = (model.variance > 0.0) & (model.freedom >= 1.0)
    errors = np.sqrt(np.where(known, model.variance, 1.0)) * model.scale
    t = (model.effects[:, None] - model.effects) / errors
    found = np.ones_like(t)
    for one, other in zip(*np.nonzero(np.triu(known)), strict=True):
        size = abs(hall(float(t[one, other]), float(model.skewness[one, other])))
        found[one, other] = found[other, one] = _p_value(size, float(model.freedom[one, other]))
    return found


def _p_value(t: float, freedom: float) -> float:
    """Returns the two-sided p-value of t, between those of the whole degrees of freedom on both sides."""
    low, high = floor(freedom), ceil(freedom)
    below = t_p_value(t, low)
    return below if low == high else below + (freedom - low) * (t_p_value(t, high) - below)


@dataclass(frozen=True, slots=True)
class PairTests:
    """The tests of all pairs of bots. Matrices are n x n, in the order of the model."""

    apart: Apart
    errors: Floats
    """The standard errors of the differences, in chips per 100 deals. Infinite where there is no test."""
    freedom: Floats
    level: float
    """The level at which the steps ended."""

    def margins(self, times: Floats | float = 1.0) -> Floats:
        """Returns the differences that would just tell two bots apart, without the correction for skewness.

        If the blocks are played `times` as often, errors shrink with its root and the degrees of freedom grow.
        """
        freedom = np.clip(self.freedom * times, 1.0, MOST_FREEDOM).astype(np.int64)
        different, which = np.unique(freedom, return_inverse=True)
        quantiles = np.array([t_quantile(1 - self.level / 2, each) for each in different.tolist()])
        return quantiles[which.reshape(freedom.shape)] * self.errors / np.sqrt(times)


def compare_pairs(model: FieldModel, level: float) -> PairTests:
    """Tests all pairs, by steps (Shaffer, Journal of the American Statistical Association 81, 1986).

    If some pairs are equal, so are others: only some numbers of pairs can be equal at once.
    """
    found, bots = p_values(model), len(model.effects)
    apart = np.zeros((bots, bots), dtype=bool)
    pairs = sorted(combinations(range(bots), 2), key=lambda pair: float(found[pair]))
    last = level
    for done, (one, other) in enumerate(pairs):
        last = level / most_equal(bots, len(pairs) - done)
        if not found[one, other] < last:
            break
        apart[one, other] = apart[other, one] = True
    known = (model.variance > 0.0) & (model.freedom >= 1.0)
    errors = np.where(known, np.sqrt(np.where(known, model.variance, 1.0)) * model.scale, np.inf)
    return PairTests(apart, errors, model.freedom, last)


def most_equal(bots: int, pairs: int) -> int:
    """Returns the largest number of equal pairs that is possible among this many pairs of these bots, at least 1."""
    numbers = _numbers_of_equal(bots)
    return max(1, numbers[bisect_right(numbers, pairs) - 1])


@cache
def _numbers_of_equal(bots: int) -> tuple[int, ...]:
    """Returns how many pairs of bots can be equal at once: sums of k (k - 1) / 2 over groups of k bots.

    Bit n of `reach[bots]` says that n pairs can be equal.
    """
    reach = [1]
    for among in range(1, bots + 1):
        bits = 0
        for group in range(1, among + 1):
            bits |= reach[among - group] << group * (group - 1) // 2
        reach.append(bits)
    return tuple(number for number in range(reach[-1].bit_length()) if reach[-1] >> number & 1)


def spanned(apart: Apart) -> Apart:
    """Returns which pairs are apart with every pair that spans them, if bots are in the order of a ranking.

    So a bot is tied with neighbours only, and the ties are brackets beside the ranking.
    """
    above = np.logical_and.accumulate(apart | np.tri(len(apart), dtype=bool), axis=0)
    found = np.triu(np.logical_and.accumulate(above[:, ::-1], axis=1)[:, ::-1], 1)
    both: Apart = found | found.T
    return both


def brackets(apart: Apart) -> list[range]:
    """Returns the largest runs of places in the ranking in which no two bots are apart, each of two or more bots.

    `apart` must be `spanned`.
    """
    found: list[range] = []
    lower = 0
    for upper in range(len(apart)):
        lower = max(lower, upper)
        while lower + 1 < len(apart) and not apart[upper, lower + 1]:
            lower += 1
        if lower > upper and (not found or lower >= found[-1].stop):
            found.append(range(upper, lower + 1))
    return found


@dataclass(frozen=True, slots=True)
class Interval:
    """A comparison interval: two of them are disjoint exactly if the tests tell their bots apart."""

    low: float
    high: float


def comparison_intervals(effects: Sequence[float], margins: Floats, apart: Apart) -> list[Interval]:
    """Returns an interval around each effect, best first. Two overlap exactly if their bots are not `apart`.

    Half-widths whose sums in pairs are about the margins come first (Goldstein and Healy, Journal of the Royal
    Statistical Society A 158, 1995). Then ends are moved as the ties need. `apart` must be `spanned`.
    """
    widths = _half_widths(margins)
    highs = _upper_ends(effects, widths, apart)
    intervals = []
    for place, (effect, width) in enumerate(zip(effects, widths, strict=True)):
        below = range(place + 1, len(effects))
        least = max((highs[lower] for lower in below if apart[place, lower]), default=-inf)
        most = min((highs[lower] for lower in below if not apart[place, lower]), default=effect)
        low = min(effect - width, most)
        intervals.append(Interval(low if low > least else least + (min(effect, most) - least) / 4, highs[place]))
    return intervals


def _upper_ends(effects: Sequence[float], widths: Sequence[float], apart: Apart) -> list[float]:
    """Returns upper ends that are below the effect of every bot that is apart.

    If a bot is tied with one above that is apart from a lower bot, it ends above that lower bot.
    """
    highest_tied = [
        next(upper for upper in range(place + 1) if not apart[upper, place]) for place in range(len(effects))
    ]
    highs = [0.0] * len(effects)
    for place in reversed(range(len(effects))):
        effect, width, tied = effects[place], widths[place], highest_tied[place]
        limit = (effect + effects[tied - 1]) / 2 if tied else inf
        later = (lower for lower in range(place + 1, len(effects)) if highest_tied[lower] > tied)
        floor = max((highs[lower] for lower in later), default=-inf)
        highs[place] = min(effect + width, limit)
        if highs[place] <= floor:
            highs[place] = floor + (min(limit, floor + width) - floor) / 4
    return highs


def _half_widths(margins: Floats) -> list[float]:
    """Returns a half-width for each bot, so that the sum of two is about their margin.

    Medians keep the huge margins of one bot with few matches from the others. Infinite margins are left out.
    """
    known = [[float(margin) for margin in row if margin < inf] for row in margins]
    middles = [median(row) if row else 0.0 for row in known]
    whole = median([margin for row in known for margin in row] or [0.0])
    return [max(middle - whole / 2, middle / 4, LEAST_WIDTH) for middle in middles]
