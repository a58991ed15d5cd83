"""Base blocks for cyclic schedules: any number of bots, as even as a bounded search finds."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Self

from bourre_referee.schedule.annealing import Move, anneal, below, shuffled
from bourre_referee.schedule.balance import spread

Arc = tuple[int, int]
"""Two seats whose difference is counted."""


class Differences:
    """How often each difference, modulo the number of bots, occurs over the arcs of all blocks.

    A block here is all numbers in some order, of which the first sit in the seats. A move
    exchanges the numbers in a seat and in a place. A difference below zero needs no modulo: as an
    index it counts from the end of a list.
    """

    def __init__(self, blocks: list[list[int]], arcs: Sequence[Arc], places: range, mirrored: bool) -> None:
        """`mirrored`: d and -d are the same difference."""
        size = len(blocks[0])
        self._blocks, self._places, self._moving = blocks, places, len(blocks)
        self._kind = [min(d, size - d) if mirrored else d for d in range(size)]
        # Half of the size is its own mirror: the arc is found in two line-ups of the round.
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
        """Who meets whom; a move brings in a number from outside the seats."""
        arcs = list(combinations(range(seats), 2))
        return cls(blocks, arcs, range(seats, len(blocks[0])), mirrored=True)

    @classmethod
    def of_neighbours(cls, blocks: list[list[int]], seats: int) -> Self:
        """Who sits to whose left; a move exchanges two seats."""
        arcs = [(seat, (seat + 1) % seats) for seat in range(seats)]
        return cls(blocks, arcs, range(seats), mirrored=False)

    def fix(self, blocks: int) -> Self:
        """From now on, so many blocks at the end are counted but take part in no move."""
        self._moving = len(self._blocks) - blocks
        return self

    def moves(self) -> int:
        """How many different moves there are."""
        return self._moving * len(self._touching) * len(self._places)

    def propose(self, rng: Random) -> Move:
        """A block, a seat, and a place to exchange it with."""
        place = self._places[below(len(self._places), rng)]
        return below(self._moving, rng), below(len(self._touching), rng), place

    def exchange(self, move: Move) -> int:
        """Make the move; the change of the squares."""
        block, seat, place = move
        numbers, arcs = self._blocks[block], self._touching[seat][place]
        change = self._count(numbers, arcs, -1)
        numbers[seat], numbers[place] = numbers[place], numbers[seat]
        return change + self._count(numbers, arcs, 1)

    def spread(self) -> int:
        """Largest minus smallest count; no arc has the difference 0."""
        return spread(self._counts[1:])

    def rows(self) -> list[list[int]]:
        """A copy of the blocks."""
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
"""Moves of one search before the best met has to do: a second or two."""

MOVES_EACH = 500
"""The same for every move there is, so that a small search is over sooner."""


@cache
def base_blocks(bots: int, seats: int, rounds: int, before: tuple[Block, ...] = ()) -> tuple[Block, ...]:
    """One block a round: first who meets whom is made even, then who sits to whose left.

    Blocks that were played `before` are counted in and not changed. The same numbers give the
    same blocks: chance here has a seed of its own.
    """
    rng = Random(0)
    blocks = [shuffled(range(bots), rng) for _ in range(rounds)]
    blocks += [[*block, *set(range(bots)).difference(block)] for block in before]
    meetings = len(blocks) * seats * (seats - 1)
    pairs = Differences.of_pairs(blocks, seats).fix(len(before))
    blocks = _annealed(pairs, _target(meetings, bots), rng)
    neighbours = Differences.of_neighbours(blocks, seats).fix(len(before))
    blocks = _annealed(neighbours, _target(len(blocks) * seats, bots), rng)
    return tuple(tuple(block[:seats]) for block in blocks[:rounds])


def _annealed(found: Differences, target: int, rng: Random) -> list[list[int]]:
    return anneal(found, min(MOVES, MOVES_EACH * found.moves()), target, rng)


def _target(meetings: int, bots: int) -> int:
    """The least spread that the differences other than 0 can have."""
    return 0 if meetings % (bots - 1) == 0 else 1
