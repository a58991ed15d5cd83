"""Student's t, to six digits and more, without a library of statistics."""

from functools import cache
from math import cos, pi, sin, sqrt, tan
from statistics import NormalDist


@cache
def student_t(probability: float, freedom: int) -> float:
    """The quantile of Student's t, for a probability from 0.5 up and 1 or more degrees of freedom, to six digits.

    Many degrees: Fisher and Cornish's expansion. Few: the finite series, inverted by bisection.
    """
    if freedom > 100:
        return _expanded(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom) < 2 * probability - 1 else (low, angle)
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """The mass of Student's t between -x and x, x = sqrt(freedom) * tan(angle) (Abramowitz and Stegun 26.7.3, 4)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for n in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (n - 1) / n
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def _expanded(z: float, freedom: int) -> float:
    """The quantile of Student's t from that of the normal distribution (Abramowitz and Stegun 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
