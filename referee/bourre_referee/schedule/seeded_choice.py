"""Choices at random that come out the same on every platform and Python version."""

from collections.abc import Iterable
from random import Random
from typing import TypeVar

T = TypeVar("T")


def below(limit: int, rng: Random) -> int:
    """One of 0..limit-1. Only `Random.random` promises the same sequence in every Python."""
    return int(rng.random() * limit)


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """The items in random order (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, rng)
        order[last], order[other] = order[other], order[last]
    return order
