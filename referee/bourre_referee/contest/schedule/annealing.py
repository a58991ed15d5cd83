"""A bounded search for the most even arrangement. It gives the same result on every machine."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from math import ldexp
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


def random_below(limit: int, rng: Random) -> int:
    """Returns a random number from 0 to limit - 1. Only `Random.random` gives the same sequence in every Python."""
    return int(rng.random() * limit)


def random_order(items: Iterable[T], rng: Random) -> list[T]:
    """Returns the items in random order (Fisher-Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = random_below(last + 1, rng)
        order[last], order[other] = order[other], order[last]
    return order


Rows = tuple[tuple[int, ...], ...]
"""The result of a search: base blocks, or line-ups."""


class SearchCache(Protocol):
    """Stores the results of searches by name. It may lose results, but never changes them."""

    def __call__(self, name: str, find: Callable[[], Rows]) -> Rows:
        """Returns the stored result of this name, or calls `find()`."""


def no_cache(name: str, find: Callable[[], Rows]) -> Rows:
    """Caches nothing: calls `find()` every time."""
    return find()


def cache_key(kind: str, *numbers: int, before: object = ()) -> str:
    """Returns the name of a search: its kind, its numbers, and a digest of the line-ups before it."""
    past = sha256(repr(before).encode()).hexdigest()[:16] if before else "0"
    return "-".join([kind, *map(str, numbers), past])


Move = tuple[int, ...]
"""An exchange. Only the arrangement that proposed it can read its numbers."""

INVERSE_TEMPERATURE = 3
"""A change that costs w is kept with probability 2 ** (-INVERSE_TEMPERATURE * w). 3 was the best value tried."""


class Arrangement(Protocol):
    """Line-ups or blocks whose counts should be even. The cost is a sum of squares, and lowest for even counts."""

    def propose(self, rng: Random) -> Move:
        """Returns a random move."""

    def exchange(self, move: Move) -> int:
        """Makes the move and returns the change in cost. A second call undoes it."""

    def spread(self) -> int:
        """Returns the largest count minus the smallest."""

    def rows(self) -> list[list[int]]:
        """Returns a copy of the line-ups or blocks."""


def anneal(arrangement: Arrangement, moves: int, target: int, rng: Random) -> list[list[int]]:
    """Makes this many moves, or stops at the `target` spread, and returns the most even rows it met.

    It computes only with whole numbers and powers of two, so every platform gets the same result.
    """
    cost = lowest = 0
    best, spread = arrangement.rows(), arrangement.spread()
    for _ in range(moves):
        if spread <= target:
            break
        move = arrangement.propose(rng)
        change = arrangement.exchange(move)
        if change > 0 and rng.random() >= ldexp(1.0, -INVERSE_TEMPERATURE * change):
            arrangement.exchange(move)
            continue
        cost += change
        if cost < lowest:
            best, spread, lowest = arrangement.rows(), arrangement.spread(), cost
    return best
