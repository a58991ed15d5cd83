"""Base blocks of cyclic designs, for any number of bots, as even as a bounded search finds."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Self

from bourre_referee.schedule.annealing import Move, anneal, random_below, random_order
from bourre_referee.schedule.balance import spread

Arc = tuple[int, int]
"""Two seats; the difference of the numbers in them is counted."""


class DifferenceCounts:
    """How often each difference, modulo the number of bots, occurs over the arcs of all blocks.

    A block here has all numbers in some order; the first of them sit in the seats. A move exchanges the numbers in a
    seat and in a place. A difference below zero needs no modulo: as an index it counts from the end of a list.
    """

    def __init__(self, blocks: list[list[int]], arcs: Sequence[Arc], places: range, mirrored: bool) -> None:
        """Counts the differences; if `mirrored`, d and -d are the same."""
        size = len(blocks[0])
        self._blocks, self._places, self._moving = blocks, places, len(blocks)
        self._kind = [min(d, size - d) if mirrored else d for d in range(size)]
        # Half of the size is its own mirror image: two line-ups of the round have the pair.
        self._step = [2 if mirrored and 2 * kind == size else 1 for kind in range(size)]
        self._touching = [
            [[arc for arc in arcs if seat in arc or place in arc] for place in range(size)]
            for seat in range(1 + max(max(arc) for arc in arcs))
        ]
        self._counts = [0] * (1 + max(self._kind))
        for block in blocks:
            self._count(block, arcs, 1)

    @classmethod
    def of_pairs(cls, blocks: list[list[int]], seats: int) -> Self:
        """Counts who meets whom; a move brings in a number from outside the seats."""
        arcs = list(combinations(range(seats), 2))
        return cls(blocks, arcs, range(seats, len(blocks[0])), mirrored=True)

    @classmethod
    def of_neighbours(cls, blocks: list[list[int]], seats: int) -> Self:
        """Counts who sits to whose left; a move exchanges two seats."""
        arcs = [(seat, (seat + 1) % seats) for seat in range(seats)]
        return cls(blocks, arcs, range(seats), mirrored=False)

    def freeze_last(self, blocks: int) -> Self:
        """Keeps this many blocks at the end as they are: they are still counted, but not moved."""
        self._moving = len(self._blocks) - blocks
        return self

    def moves(self) -> int:
        """Returns how many different moves are possible."""
        return self._moving * len(self._touching) * len(self._places)

    def propose(self, rng: Random) -> Move:
        """Returns a block, a seat, and a place to exchange it with."""
        place = self._places[random_below(len(self._places), rng)]
        return random_below(self._moving, rng), random_below(len(self._touching), rng), place

    def exchange(self, move: Move) -> int:
        """Makes the move and returns the change in cost."""
        block, seat, place = move
        numbers, arcs = self._blocks[block], self._touching[seat][place]
        change = self._count(numbers, arcs, -1)
        numbers[seat], numbers[place] = numbers[place], numbers[seat]
        return change + self._count(numbers, arcs, 1)

    def spread(self) -> int:
        """Returns the largest count minus the smallest; no arc has the difference 0."""
        return spread(self._counts[1:])

    def rows(self) -> list[list[int]]:
        """Returns a copy of the blocks."""
        return [list(block) for block in self._blocks]

    def _count(self, numbers: Sequence[int], arcs: Sequence[Arc], sign: int) -> int:
        kinds, steps, counts, change = self._kind, self._step, self._counts, 0
        for start, end in arcs:
            kind = kinds[numbers[start] - numbers[end]]
            step = sign * steps[kind]
            change += sign * (2 * counts[kind] + step)
            counts[kind] += step
        return change


Block = tuple[int, ...]
"""The first line-up of a round; the others add 1, 2, ... to it, modulo the number of bots."""

MOVES = 300_000
"""The most moves of a search, which take a second or two."""

MOVES_PER_CHOICE = 500
"""The most moves per possible move, so that small searches end sooner."""


@cache
def search_base_blocks(bots: int, seats: int, rounds: int, before: tuple[Block, ...] = ()) -> tuple[Block, ...]:
    """Searches for a base block for each round: it first evens out who meets whom, then who sits to whose left.

    Blocks that were played `before` are counted but not changed. It has a random seed of its own, so the same numbers
    give the same blocks.
    """
    rng = Random(0)
    blocks = [random_order(range(bots), rng) for _ in range(rounds)]
    blocks += [[*block, *set(range(bots)).difference(block)] for block in before]
    meetings = len(blocks) * seats * (seats - 1)
    pairs = DifferenceCounts.of_pairs(blocks, seats).freeze_last(len(before))
    blocks = _anneal(pairs, _least_spread(meetings, bots), rng)
    neighbours = DifferenceCounts.of_neighbours(blocks, seats).freeze_last(len(before))
    blocks = _anneal(neighbours, _least_spread(len(blocks) * seats, bots), rng)
    return tuple(tuple(block[:seats]) for block in blocks[:rounds])


def _anneal(counts: DifferenceCounts, target: int, rng: Random) -> list[list[int]]:
    return anneal(counts, min(MOVES, MOVES_PER_CHOICE * counts.moves()), target, rng)


def _least_spread(meetings: int, bots: int) -> int:
    """Returns the smallest spread that the counts of the differences can have."""
    return 0 if meetings % (bots - 1) == 0 else 1
