"""Corrects Student's t for skewness (Hall, Journal of the Royal Statistical Society B 54, 1992).

Where losses are rare and large, a mean without one looks both higher and surer than it is. Hall's cubic takes that out,
by the skewness of the mean: the sum of the cubes of the deviations, divided by the sum of their squares to the 3/2.
"""

from __future__ import annotations

from math import cbrt, copysign


def hall(t: float, skewness: float) -> float:
    """Returns the smaller of t and its correction in size. 0 where they differ in sign."""
    corrected = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
    return copysign(min(abs(t), abs(corrected)), t) if t * corrected > 0 else 0.0


def inverse_hall(t: float, skewness: float) -> float:
    """Returns the least number whose `hall` reaches t, which is positive."""
    wanted = t - skewness / 6
    root = cbrt(1 + skewness * wanted)  # the corrected t is ((1 + skewness t / 3) ** 3 - 1) / skewness + skewness / 6
    return max(t, 3 * wanted / (root**2 + root + 1))
