"""Schedules for a number of bots: rounds from a finite field if possible, otherwise cyclic, and a tail of tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Self

from bourre_referee.contest.schedule.annealing import (
    Move,
    Rows,
    SearchCache,
    anneal,
    cache_key,
    no_cache,
    random_below,
    random_order,
)
from bourre_referee.contest.schedule.balance import LineUp, measure_balance, spread
from bourre_referee.contest.schedule.seating import Pairings, SeatOrder


@dataclass(frozen=True, slots=True)
class Field:
    """GF(q). An element is a number below q; its digits in base `prime` are the coefficients of a polynomial."""

    prime: int
    powers: tuple[int, ...]
    """1, g, g*g, ...: every element except 0, as the powers of one of them."""

    def add(self, a: int, b: int) -> int:
        """Adds two elements digit by digit in base `prime`, without carrying."""
        total, place = 0, 1
        while a or b:
            total += (a + b) % self.prime * place
            a, b, place = a // self.prime, b // self.prime, place * self.prime
        return total


def finite_field(order: int) -> Field | None:
    """Returns the field with `order` elements; None if `order` is not a prime power."""
    if (prime := _prime_base(order)) is None:
        return None
    cycles = (_powers_of_x(order, prime, x_to_the_degree) for x_to_the_degree in range(1, order))
    return next(Field(prime, cycle) for cycle in cycles if len(cycle) == order - 1)


def _prime_base(number: int) -> int | None:
    """Returns the prime p of which `number` (2 or more) is a power; None if there is none."""
    prime = next(divisor for divisor in range(2, number + 1) if number % divisor == 0)
    while number % prime == 0:
        number //= prime
    return prime if number == 1 else None


def _powers_of_x(order: int, prime: int, wrap: int) -> tuple[int, ...]:
    """Returns 1, x, x*x, ... until the sequence returns to 1, if x to the power of the degree is `wrap`.

    If all order - 1 nonzero elements appear, the polynomial is primitive and the arithmetic is a field's.
    """
    top = order // prime
    powers = [1]
    while len(powers) < order:
        digit, rest = divmod(powers[-1], top)
        element = _plus_times(rest * prime, digit, wrap, prime)
        if element == 1:
            break
        powers.append(element)
    return tuple(powers)


def _plus_times(a: int, factor: int, b: int, prime: int) -> int:
    """Computes a + factor * b, coefficient by coefficient."""
    total, place = 0, 1
    while a or b:
        total += (a + factor * b) % prime * place
        a, b, place = a // prime, b // prime, place * prime
    return total


Arc = tuple[int, int]
"""Two seats, whose numbers' difference is counted."""


class DifferenceCounts:
    """How often each difference, modulo the number of bots, occurs over the arcs of all blocks.

    A block here has all numbers in some order. The first of them sit in the seats. A move exchanges the numbers in a
    seat and in a place. A negative difference needs no modulo, because a negative index counts from a list's end.
    """

    def __init__(self, blocks: list[list[int]], arcs: Sequence[Arc], places: range, mirrored: bool) -> None:
        """Counts the differences. If `mirrored`, d and -d are the same."""
        size = len(blocks[0])
        self._blocks, self._places, self._moving = blocks, places, len(blocks)
        self._kind = [min(d, size - d) if mirrored else d for d in range(size)]
        # Half of the size is its own mirror image, so two line-ups of the round have the pair.
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
        """Counts meetings of pairs. A move brings in a number from outside the seats."""
        arcs = list(combinations(range(seats), 2))
        return cls(blocks, arcs, range(seats, len(blocks[0])), mirrored=True)

    @classmethod
    def of_neighbours(cls, blocks: list[list[int]], seats: int) -> Self:
        """Counts left neighbours. A move exchanges two seats."""
        arcs = [(seat, (seat + 1) % seats) for seat in range(seats)]
        return cls(blocks, arcs, range(seats), mirrored=False)

    def freeze_last(self, blocks: int) -> Self:
        """Stops moving the last blocks, but still counts them."""
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
        """Returns the largest count minus the smallest. Difference 0 does not occur."""
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
"""The first line-up of a round. The others add 1, 2, ... to it, modulo the number of bots."""

MOVES = 300_000
"""The most moves of a search, which take a second or two."""

MOVES_PER_SWAP = 500
"""The most moves per possible move. It ends small searches sooner."""


@cache
def search_base_blocks(bots: int, seats: int, rounds: int, before: tuple[Block, ...] = ()) -> tuple[Block, ...]:
    """Searches for a base block for each round. It first evens out meetings, then left neighbours.

    Blocks that were played `before` are counted but not changed. The random seed is fixed, so the same arguments give
    the same blocks.
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
    return anneal(counts, min(MOVES, MOVES_PER_SWAP * counts.moves()), target, rng)


def _least_spread(meetings: int, bots: int) -> int:
    """Returns the smallest spread that the counts of the differences can have."""
    return 0 if meetings % (bots - 1) == 0 else 1


PAIRING_MOVES, SEATING_MOVES = (100_000, 400_000), 20_000
"""The most moves of a search, a second or two. The second number is for pairs that are still uneven."""

MOVES_PER_CHOICE = 50
"""The most moves per possible move, so that small searches end sooner."""


def search_tail(bots: int, seats: int, tables: int, before: Sequence[LineUp]) -> tuple[LineUp, ...]:
    """Searches for a tail of fewer tables than bots. No bot sits twice in a seat, or at two tables more than another.

    It first evens out meetings, then left neighbours, and counts the line-ups `before`. The random seed is fixed, so
    the same arguments give the same tables.
    """
    rng = Random(0)
    places = tables * seats
    for most in PAIRING_MOVES:
        pairings = Pairings(bots, seats, tables, before)
        table_seats = anneal(pairings, min(most, MOVES_PER_CHOICE * places**2), 1, rng)
        if measure_balance((*before, *map(tuple, table_seats)), bots, seats).pair <= 2:
            break
    seating = SeatOrder(bots, seats, table_seats, before)
    rows = anneal(seating, min(SEATING_MOVES, MOVES_PER_CHOICE * places * seats), 1, rng)
    return tuple(tuple(row) for row in rows)


Round = tuple[LineUp, ...]
"""A line-up for each bot, so that every bot sits once in every seat."""


def rounds_per_cycle(bots: int) -> int:
    """Returns how many rounds a full cycle has."""
    return bots - 1


class Designs:
    """Makes schedules for this many bots and seats. It stores searches in the cache."""

    def __init__(self, bots: int, seats: int, cache: SearchCache = no_cache) -> None:
        self.bots = bots
        self.seats = seats
        self._cache = cache

    def rounds(self, count: int) -> list[Round]:
        """Makes this many rounds, in which pairs and left neighbours meet as equally as possible."""
        if (field := finite_field(self.bots)) is None:
            return self._cyclic_rounds(count)
        cycles, rest = divmod(count, rounds_per_cycle(self.bots))
        return self._field_cycle(field) * cycles + self._develop(self._blocks(rest, ()))

    def tail(self, count: int, before: tuple[LineUp, ...]) -> Rows:
        """Makes this many tables, fewer than a round, to follow the line-ups `before` (see `search_tail`)."""
        name = cache_key("tail", self.bots, self.seats, count, before=before)
        return self._cache(name, lambda: search_tail(self.bots, self.seats, count, before)) if count else ()

    def _field_cycle(self, field: Field) -> list[Round]:
        """Returns the tables a * s + b over GF(bots), with a round for each a except 0, and a line-up for each b.

        The seats are s = 0, 1, g, g*g, ..., so a * s runs through successive powers of g. Every ordered pair of bots
        meets exactly once in every ordered pair of seats.
        """
        powers, bots = field.powers * 2, range(self.bots)
        blocks = [(0, *powers[start : start + self.seats - 1]) for start in range(rounds_per_cycle(self.bots))]
        return [tuple(tuple(field.add(number, shift) for number in block) for shift in bots) for block in blocks]

    def _cyclic_rounds(self, count: int) -> list[Round]:
        """Makes two cycles at a time, because one cannot always be even. The last rounds are searched to fit."""
        period = 2 * rounds_per_cycle(self.bots)
        repeats = max(0, count - 1) // period
        before = self._blocks(period, ()) * repeats if repeats else ()
        return self._develop(before + self._blocks(count - len(before), before))

    def _blocks(self, count: int, before: tuple[Block, ...]) -> tuple[Block, ...]:
        name = cache_key("blocks", self.bots, self.seats, count, before=before)
        return self._cache(name, lambda: search_base_blocks(self.bots, self.seats, count, before)) if count else ()

    def _develop(self, blocks: tuple[Block, ...]) -> list[Round]:
        """Develops base blocks into rounds: adds 0, 1, 2, ... to each, modulo the number of bots."""
        bots = self.bots
        return [tuple(tuple((number + shift) % bots for number in block) for shift in range(bots)) for block in blocks]
