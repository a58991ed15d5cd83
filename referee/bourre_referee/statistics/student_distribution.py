"""Student's t distribution: its quantiles and two-sided p-values."""

from __future__ import annotations

from functools import cache
from math import atan, cos, erfc, log1p, pi, sin, sqrt, tan
from statistics import NormalDist


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """Returns the quantile of Student's t to six digits, for a probability of at least 0.5.

    Few degrees of freedom: the finite series, inverted by bisection. Many: the Cornish-Fisher expansion.
    """
    if freedom > 100:
        return _cornish_fisher(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _central_mass(angle, freedom) < 2 * probability - 1 else (low, angle)
    return sqrt(freedom) * tan(low)


def t_p_value(t: float, freedom: int) -> float:
    """Returns the two-sided p-value for t >= 0, to a relative error of 1e-6 or an absolute one of 1e-14.

    Few degrees of freedom: the finite series. Many: Hill's expansion (Communications of the ACM 13, 1970, no. 395).
    """
    if freedom > 100:
        return erfc(_equivalent_normal(t, freedom) / sqrt(2))
    return max(0.0, 1 - _central_mass(atan(t / sqrt(freedom)), freedom))


def _central_mass(angle: float, freedom: int) -> float:
    """Returns the probability between -x and x = sqrt(freedom) * tan(angle) (Abramowitz and Stegun 26.7.3, 4)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for n in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (n - 1) / n
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def _cornish_fisher(z: float, freedom: int) -> float:
    """Returns the quantile of Student's t from that of the normal distribution (Abramowitz and Stegun 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _equivalent_normal(t: float, freedom: int) -> float:
    """Returns the standard normal deviate with the same two-sided p-value as `t` (Hill)."""
    a = freedom - 0.5
    b = 48 * a**2
    z = sqrt(a * log1p(t**2 / freedom))
    return z + (z**3 + 3 * z) / b - (4 * z**7 + 33 * z**5 + 240 * z**3 + 855 * z) / (10 * b * (b + 0.8 * z**4 + 100))
