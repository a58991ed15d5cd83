"""Designs for a number of bots: rounds, exact over a finite field or else cyclic, and a tail of further tables."""

from collections.abc import Sequence
from random import Random

from bourre_referee.schedule.annealing import Rows, SearchCache, anneal, cache_key, no_cache
from bourre_referee.schedule.balance import LineUp, measure_balance
from bourre_referee.schedule.even_schedules import Block, search_base_blocks
from bourre_referee.schedule.finite_fields import Field, finite_field
from bourre_referee.schedule.pairings import Pairings
from bourre_referee.schedule.seating import Seating

PAIRING_MOVES, SEATING_MOVES = (100_000, 400_000), 20_000
"""The most moves of a search, which take a second or two; the second number is for pairs that are still uneven."""

MOVES_PER_CHOICE = 50
"""The most moves per possible move, so that small searches end sooner."""


def search_tail(bots: int, seats: int, tables: int, before: Sequence[LineUp]) -> tuple[LineUp, ...]:
    """Searches for a tail of fewer tables than bots: no bot sits twice in a seat, or at two tables more than another.

    It first evens out who meets whom, then who sits to whose left, counting what was played `before`. It has a random
    seed of its own, so the same numbers give the same tables.
    """
    rng = Random(0)
    places = tables * seats
    for most in PAIRING_MOVES:
        pairings = Pairings(bots, seats, tables, before)
        table_seats = anneal(pairings, min(most, MOVES_PER_CHOICE * places**2), 1, rng)
        if measure_balance((*before, *map(tuple, table_seats)), bots, seats).pair <= 2:
            break
    seating = Seating(bots, seats, table_seats, before)
    rows = anneal(seating, min(SEATING_MOVES, MOVES_PER_CHOICE * places * seats), 1, rng)
    return tuple(tuple(row) for row in rows)


Round = tuple[LineUp, ...]
"""As many line-ups as there are bots, in which everyone sits once in every seat."""


def rounds_per_cycle(bots: int) -> int:
    """Returns how many rounds a full cycle has."""
    return bots - 1


class Designs:
    """The designs for this many bots and seats. Searches go through the cache."""

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
        """Makes two cycles at a time, because one cannot always be even; the last rounds are searched to fit them."""
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
