"""Least squares for a handful of numbers."""

from __future__ import annotations

from collections.abc import Sequence

RIDGE = 1e-3
"""Keeps weights finite if two columns are equal."""


def fit(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Returns the weights with which the columns best fit the values."""
    columns = list(zip(*rows, strict=True))
    normal = [[_dot(one, other) + RIDGE * (one is other) for other in columns] for one in columns]
    return solve(normal, [_dot(column, values) for column in columns])


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solves a regular system of equations, by elimination with the largest pivot."""
    left = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(left)
    for place in range(size):
        pivot = max(range(place, size), key=lambda row: abs(left[row][place]))
        left[place], left[pivot] = left[pivot], left[place]
        for row in range(size):
            if row != place:
                share = left[row][place] / left[place][place]
                left[row] = [a - share * b for a, b in zip(left[row], left[place], strict=True)]
    return [left[place][size] / left[place][place] for place in range(size)]
