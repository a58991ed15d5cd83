"""The truncated standard normal distribution: the functions V and W of TrueSkill, exact far out in the tails too.

Herbrich, Minka, Graepel: TrueSkill (2006). `diff` is the expected advantage of the winner and `margin` the largest
difference that counts as a draw, both in standard deviations. Once the outcome is known, V is the shift of the mean
and W the share by which the variance shrinks.
"""

from __future__ import annotations

from math import erfc, exp, expm1, pi, sqrt
from statistics import NormalDist

TAIL = 5.0
"""From here on, probabilities are computed relative to the density, which itself underflows to 0."""

MAX_SHARE = 1 - 1e-9
"""The variance never shrinks to 0."""

MILLS_TERMS = 50
"""Of the continued fraction."""


def pdf(x: float) -> float:
    """Returns the standard normal density at x."""
    return exp(-x * x / 2) / sqrt(2 * pi)


def cdf(x: float) -> float:
    """Returns the probability that a standard normal variable is below x."""
    return erfc(-x / sqrt(2)) / 2


def quantile(probability: float) -> float:
    """Returns the x with `cdf(x) == probability`."""
    return NormalDist().inv_cdf(probability)


def v_win(diff: float, margin: float) -> float:
    """Returns the mean of a standard normal variable above margin - diff."""
    x = diff - margin
    return 1 / _mills(-x) if x < -TAIL else pdf(x) / cdf(x)


def w_win(diff: float, margin: float) -> float:
    """Returns 1 minus the variance of a standard normal variable above margin - diff."""
    v = v_win(diff, margin)
    return _clip(v * (v + diff - margin))


def v_draw(diff: float, margin: float) -> float:
    """Returns the mean of a standard normal variable between -margin - diff and margin - diff."""
    mean = _draw_moments(abs(diff), margin)[0]
    return -mean if diff < 0 else mean


def w_draw(diff: float, margin: float) -> float:
    """Returns 1 minus the variance of a standard normal variable between -margin - diff and margin - diff."""
    mean, one_less_mean_square = _draw_moments(abs(diff), margin)
    return _clip(mean * mean + one_less_mean_square)


def _draw_moments(diff: float, margin: float) -> tuple[float, float]:
    """Returns for diff >= 0 the mean, and 1 minus the mean square, between -margin - diff and margin - diff."""
    near, far = diff - margin, diff + margin
    if near > TAIL:
        log_ratio = -2 * diff * margin  # of pdf(far) to pdf(near)
        mass = _mills(near) - exp(log_ratio) * _mills(far)
        return expm1(log_ratio) / mass, (far * exp(log_ratio) - near) / mass
    mass = cdf(-near) - cdf(-far)
    return (pdf(far) - pdf(near)) / mass, (far * pdf(far) - near * pdf(near)) / mass


def _mills(x: float) -> float:
    """Returns Mills' ratio for x >= 5, the probability above x over the density at x (Laplace's continued fraction)."""
    denominator = x
    for term in range(MILLS_TERMS, 0, -1):
        denominator = x + term / denominator
    return 1 / denominator


def _clip(w: float) -> float:
    return min(max(w, 0.0), MAX_SHARE)
