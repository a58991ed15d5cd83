"""Linear algebra that gives the same digits on every machine.

A library of linear algebra may add in any order, so its last digits depend on the processor. Here every sum has a fixed
order, or adds whole numbers below 2^53, which are exact in any order.
"""

from __future__ import annotations

from itertools import combinations
from math import frexp, ldexp

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_SWEEPS = 12
"""Jacobi sweeps double the correct digits, so a few are enough for matrices of at most eight rows."""

NEGLIGIBLE = 1e-14
"""Off-diagonal entries below this end the sweeps. The matrices have eigenvalues from 0 to 1."""

_CACHED = 1024
"""How many matrices are rotated at once, so that they fit in a processor's cache."""

_EXACT_BITS = 51
"""Sums of products stay below 2 to this power, two bits below the limit of exact floats."""


def invert(matrix: Floats) -> Floats:
    """Returns the inverse of a positive definite matrix (n x n), by Gauss-Jordan elimination without pivots."""
    size = len(matrix)
    work = np.hstack([matrix, np.eye(size)])
    for place in range(size):
        work[place] /= work[place, place]
        column = work[:, place].copy()
        column[place] = 0.0
        work -= column[:, None] * work[place]
    return work[:, size:]


def inverse_roots(matrices: Floats, tolerance: float = 1e-9) -> Floats:
    """Returns the inverse square root of each symmetric matrix (count x n x n), by cyclic Jacobi rotations.

    Directions whose eigenvalue is at most `tolerance` are dropped: the root is 0 there.
    """
    work = np.ascontiguousarray(np.moveaxis(matrices, 0, 2))  # equal entries of all matrices lie side by side
    size, count = work.shape[1:]
    vectors = np.broadcast_to(np.eye(size)[:, :, None], work.shape).copy()
    others = ~np.eye(size, dtype=bool)
    for _ in range(MAX_SWEEPS):
        if np.abs(work[others]).max(initial=0.0) < NEGLIGIBLE:
            break
        for start in range(0, count, _CACHED):
            some = slice(start, start + _CACHED)
            for one, other in combinations(range(size), 2):
                _rotate(work[:, :, some], vectors[:, :, some], one, other)
    values = np.stack([work[place, place] for place in range(size)])
    kept = values > tolerance
    factors = np.where(kept, 1.0 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    roots = np.zeros_like(work)
    for place in range(size):
        vector = vectors[:, place]
        roots += (vector * factors[place])[:, None] * vector
    return np.ascontiguousarray(np.moveaxis(roots, 2, 0))


def _rotate(work: Floats, vectors: Floats, one: int, other: int) -> None:
    """Makes the entry (one, other) of each matrix 0 by a rotation, and turns the eigenvectors with it."""
    gap = work[other, other] - work[one, one]
    twice = 2.0 * work[one, other]
    below = np.abs(gap) + np.sqrt(gap * gap + twice * twice)
    tangent = np.where(gap < 0, -twice, twice) / np.where(below > 0, below, 1.0)
    cosine = 1.0 / np.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    _turn(work.swapaxes(0, 1), one, other, cosine, sine)
    _turn(work, one, other, cosine, sine)
    _turn(vectors.swapaxes(0, 1), one, other, cosine, sine)


def _turn(rows: Floats, one: int, other: int, cosine: Floats, sine: Floats) -> None:
    """Rotates two rows of each matrix in their plane."""
    first, second = rows[one].copy(), rows[other].copy()
    rows[one] = cosine * first - sine * second
    rows[other] = sine * first + cosine * second


def sums_of_squares(columns: Floats) -> Floats:
    """Returns the sum over the rows of (column i - column j) squared, for every two columns."""
    whole, bits = _whole_numbers(columns, power=2)
    products = np.ldexp(whole.T @ whole, -bits[:, None] - bits)
    own = np.diag(products)
    sums: Floats = own[:, None] + own - 2.0 * products
    return sums


def sums_of_cubes(columns: Floats) -> Floats:
    """Returns the sum over the rows of (column i - column j) cubed, for every two columns."""
    whole, bits = _whole_numbers(columns, power=3)
    mixed = np.ldexp((whole * whole).T @ whole, -2 * bits[:, None] - bits)
    own = np.diag(mixed)
    sums: Floats = own[:, None] - own - 3.0 * mixed + 3.0 * mixed.T
    return sums


def _whole_numbers(columns: Floats, power: int) -> tuple[Floats, NDArray[np.int64]]:
    """Returns each column times 2 to some power, rounded, and these powers.

    No sum of products of `power` entries passes 2^51: by Hoelder's inequality, such a sum is at most the largest sum of
    absolute powers of one column.
    """
    sizes = np.abs(columns)
    powers = sizes.copy()
    for _ in range(power - 1):
        powers *= sizes
    bits = (_EXACT_BITS - 1 - np.frexp(np.add.reduce(powers, axis=0))[1].astype(np.int64)) // power
    return np.rint(columns * np.ldexp(1.0, bits)), bits


def scale_of(values: Floats) -> float:
    """Returns the power of two just above the largest absolute value; 1 if all are 0."""
    largest = float(np.abs(values).max(initial=0.0))
    return ldexp(1.0, frexp(largest)[1]) if largest > 0.0 else 1.0
