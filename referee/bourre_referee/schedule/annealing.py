"""A bounded search for the most even of many arrangements: repeatable everywhere, and remembered by whoever can."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from math import ldexp
from random import Random
from typing import Protocol, TypeVar

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


Rows = tuple[tuple[int, ...], ...]
"""What a search finds: base blocks, or line-ups."""


class Memory(Protocol):
    """Gives what was found under this name before, or finds it. It may forget, and may not change anything."""

    def __call__(self, name: str, find: Callable[[], Rows]) -> Rows:
        """What `find()` returns."""


def afresh(name: str, find: Callable[[], Rows]) -> Rows:
    """The memory of one who remembers nothing."""
    return find()


def name_of(search: str, *numbers: int, before: object = ()) -> str:
    """What a search is remembered by: its kind, its numbers, and what was played before."""
    past = sha256(repr(before).encode()).hexdigest()[:16] if before else "0"
    return "-".join([search, *map(str, numbers), past])


Move = tuple[int, ...]
"""What to exchange; its numbers mean something to one arrangement only."""

COLD = 3
"""A change that is worse by w is kept with probability 2 ** (-COLD * w); 3 was the best tried."""


class Arrangement(Protocol):
    """Something counted, whose counts are to be alike. Uneven are counts with large squares."""

    def propose(self, rng: Random) -> Move:
        """Any move; `rng` chooses."""

    def exchange(self, move: Move) -> int:
        """Make the move; the change in the sum of the squared counts. Done twice, it is undone."""

    def spread(self) -> int:
        """Largest minus smallest count."""

    def rows(self) -> list[list[int]]:
        """A copy of what has been arranged."""


def anneal(arranged: Arrangement, moves: int, target: int, rng: Random) -> list[list[int]]:
    """The most even rows met in so many moves, or until their spread is `target`.

    Whole numbers and powers of two only, so that every platform finds the same.
    """
    level = lowest = 0
    best, spread = arranged.rows(), arranged.spread()
    for _ in range(moves):
        if spread <= target:
            break
        move = arranged.propose(rng)
        change = arranged.exchange(move)
        if change > 0 and rng.random() >= ldexp(1.0, -COLD * change):
            arranged.exchange(move)
            continue
        level += change
        if level < lowest:
            best, spread, lowest = arranged.rows(), arranged.spread(), level
    return best
