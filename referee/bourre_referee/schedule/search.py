"""A bounded search for the most even of many arrangements."""

from math import ldexp
from random import Random
from typing import Protocol

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
