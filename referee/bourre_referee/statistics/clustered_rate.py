"""Intervals of rates whose events come in clusters: exact ones, with the clusters' effective number of trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, lgamma, log, log1p

from bourre_referee.statistics.estimates import t_quantile

_STEPS = 40
"""How often a quantile halves its bounds: to twelve digits."""
_TINY = 1e-300


def clustered_interval(clusters: Sequence[tuple[int, int]], level: float = 0.95) -> tuple[float, float] | None:
    """Returns the interval of a rate between 0 and 1; None with fewer than two clusters that have trials.

    A cluster is its number of events and of trials. The number of trials is divided by the design effect and corrected
    for the number of clusters; then it is Clopper and Pearson's interval (Korn and Graubard, Survey Methodology 24,
    1998). Without events, or with nothing else, the design effect is unknown, and counts as 1.
    """
    tried = [cluster for cluster in clusters if cluster[1]]
    if len(tried) < 2:
        return None
    events, trials = (sum(counts) for counts in zip(*tried, strict=True))
    rate, effective = events / trials, float(trials)
    if 0 < events < trials:
        spread = sum((times - rate * tries) ** 2 for times, tries in tried) * len(tried) / (len(tried) - 1)
        if spread:
            effective = min(effective, rate * (1 - rate) * trials**2 / spread)
        tail = (1 + level) / 2
        effective *= min(1.0, (t_quantile(tail, trials - 1) / t_quantile(tail, len(tried) - 1)) ** 2)
    return exact_interval(rate * effective, effective, level)


def exact_interval(events: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Returns the interval of a rate by Clopper and Pearson (Biometrika 26, 1934). The numbers need not be whole."""
    tail, others = (1 - level) / 2, trials - events
    if not events:
        return 0.0, 1 - tail ** (1 / trials)
    low = _quantile(lambda rate: beta_share(events, others + 1, rate), tail)
    high = _quantile(lambda rate: beta_share(events + 1, others, rate), 1 - tail) if others > 0 else 1.0
    return low, high


def _quantile(share: Callable[[float], float], wanted: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < wanted else (low, middle)
    return (low + high) / 2


def beta_share(a: float, b: float, x: float) -> float:
    """Returns the regularised incomplete beta function (Abramowitz and Stegun 26.5.8)."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(b, a, 1 - x)
    scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    return scale * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Returns the continued fraction of the incomplete beta function, by Lentz's method."""
    above, below = 1.0, 1 / (_away(1 - (a + b) * x / (a + 1)))
    value = below
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            below = 1 / _away(1 + term * below)
            above = _away(1 + term / above)
            value *= above * below
        if abs(above * below - 1) < 1e-12:
            break
    return value


def _away(number: float) -> float:
    """Keeps a divisor away from 0."""
    return number if abs(number) > _TINY else _TINY
