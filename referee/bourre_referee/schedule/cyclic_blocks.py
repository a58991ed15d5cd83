"""Base blocks for cyclic schedules: any number of bots, as even as a bounded search finds."""

from functools import cache
from random import Random

from bourre_referee.schedule.differences import Differences
from bourre_referee.schedule.search import anneal
from bourre_referee.schedule.seeded_choice import shuffled

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
