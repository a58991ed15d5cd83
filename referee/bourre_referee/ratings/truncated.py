"""The standard normal distribution cut off: the functions V and W of TrueSkill, also far out in the tails.

Herbrich, Minka, Graepel: TrueSkill (2006). `diff` is how much better the winner was thought to be and `margin` the
largest difference that counts as a draw, both in standard deviations. V is the shift of the mean once the outcome is
known, W the share of the variance that goes.
"""

from __future__ import annotations

from math import erfc, exp, expm1, pi, sqrt
from statistics import NormalDist

_FAR = 5.0
"""From here on masses are taken relative to the density, which itself fades to 0."""

_MOST = 1 - 1e-9
"""No outcome leaves nothing of a variance."""


def density(x: float) -> float:
    """The density at x."""
    return exp(-x * x / 2) / sqrt(2 * pi)


def mass_below(x: float) -> float:
    """The probability of less than x."""
    return erfc(-x / sqrt(2)) / 2


def quantile(probability: float) -> float:
    """The x with this probability of less."""
    return NormalDist().inv_cdf(probability)


def v_win(diff: float, margin: float) -> float:
    """The mean of what is left above margin - diff."""
    x = diff - margin
    return 1 / _mills(-x) if x < -_FAR else density(x) / mass_below(x)


def w_win(diff: float, margin: float) -> float:
    """1 minus the variance of what is left above margin - diff."""
    v = v_win(diff, margin)
    return _share(v * (v + diff - margin))


def v_draw(diff: float, margin: float) -> float:
    """The mean of what is left between -margin - diff and margin - diff."""
    mean = _between(abs(diff), margin)[0]
    return -mean if diff < 0 else mean


def w_draw(diff: float, margin: float) -> float:
    """1 minus the variance of what is left between -margin - diff and margin - diff."""
    mean, second_moment_less_one = _between(abs(diff), margin)
    return _share(mean * mean + second_moment_less_one)


def _between(diff: float, margin: float) -> tuple[float, float]:
    """For diff >= 0: the mean, and 1 minus the mean square, of what is left between -margin and margin from -diff."""
    near, far = diff - margin, diff + margin
    if near > _FAR:
        fade = -2 * diff * margin  # density(far) / density(near) is e to this
        mass = _mills(near) - exp(fade) * _mills(far)
        return expm1(fade) / mass, (far * exp(fade) - near) / mass
    mass = mass_below(-near) - mass_below(-far)
    return (density(far) - density(near)) / mass, (far * density(far) - near * density(near)) / mass


def _mills(x: float) -> float:
    """The mass above x over the density at x, for x >= 5: Laplace's continued fraction."""
    below = x
    for term in range(50, 0, -1):
        below = x + term / below
    return 1 / below


def _share(w: float) -> float:
    return min(max(w, 0.0), _MOST)
