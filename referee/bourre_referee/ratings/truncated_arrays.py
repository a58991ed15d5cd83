"""The functions V and W of `truncated_normal.py` for whole arrays of matches at once."""

from __future__ import annotations

from math import erfc as erfc_of_one
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from bourre_referee.ratings.truncated_normal import MAX_SHARE, MILLS_TERMS, TAIL

Array = NDArray[np.float64]


def v_and_w_win(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Return V and W of a win; all arrays have the same shape."""
    x = diff - margin
    far = x < -TAIL
    v = np.empty_like(x)
    v[far] = 1 / _mills(-x[far])
    v[~far] = _pdf(x[~far]) / _cdf(x[~far])
    return v, np.clip(v * (v + x), 0.0, MAX_SHARE)


def v_and_w_draw(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Return V and W of a draw; all arrays have the same shape."""
    distance = np.abs(diff)
    far = distance - margin > TAIL
    mean, second_moment_less_one = np.empty_like(diff), np.empty_like(diff)
    mean[far], second_moment_less_one[far] = _between_far(distance[far], margin[far])
    mean[~far], second_moment_less_one[~far] = _between_near(distance[~far], margin[~far])
    return np.where(diff < 0, -mean, mean), np.clip(mean * mean + second_moment_less_one, 0.0, MAX_SHARE)


def _between_far(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Return the mean, and 1 minus the mean square, of what lies between -margin - diff and margin - diff, far out."""
    near, beyond = diff - margin, diff + margin
    fade = -2 * diff * margin  # density(beyond) / density(near) is e to this
    mass = _mills(near) - np.exp(fade) * _mills(beyond)
    return np.expm1(fade) / mass, (beyond * np.exp(fade) - near) / mass


def _between_near(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Return the same from the densities themselves."""
    near, beyond = diff - margin, diff + margin
    mass = _cdf(-near) - _cdf(-beyond)
    at_near, at_beyond = _pdf(near), _pdf(beyond)
    return (at_beyond - at_near) / mass, (beyond * at_beyond - near * at_near) / mass


def _pdf(x: Array) -> Array:
    return np.exp(-x * x / 2) / sqrt(2 * pi)


def _cdf(x: Array) -> Array:
    """Return the probability of less than x; NumPy has no error function, so each comes from the C library."""
    scaled = x / -sqrt(2)
    return np.fromiter(map(erfc_of_one, scaled.ravel().tolist()), float, x.size).reshape(x.shape) / 2


def _mills(x: Array) -> Array:
    below = x
    for term in range(MILLS_TERMS, 0, -1):
        below = x + term / below
    return 1 / below
