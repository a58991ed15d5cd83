"""Designs for a number of bots: rounds, exact over a finite field and cyclic else, and tables left over."""

from collections.abc import Sequence
from random import Random

from bourre_referee.schedule.annealing import Memory, Rows, afresh, anneal, name_of
from bourre_referee.schedule.balance import LineUp, balance_of
from bourre_referee.schedule.even_schedules import Block, base_blocks
from bourre_referee.schedule.finite_fields import Field, field_of
from bourre_referee.schedule.pairings import Pairings
from bourre_referee.schedule.seating import Seating

COMPANY_MOVES, SEATING_MOVES = (100_000, 400_000), 20_000
"""Moves of one search before the best met has to do: a second or two; more where pairs are uneven still."""

MOVES_EACH = 50
"""The same for every move there is, so that a small search is over sooner."""


def tail_of(bots: int, seats: int, tables: int, before: Sequence[LineUp]) -> tuple[LineUp, ...]:
    """Fewer tables than bots: no bot sits twice in a seat, or at two tables more than another.

    First who meets whom is made even, then who sits to whose left; what was played `before` is
    counted in. The same numbers give the same tables: chance here has a seed of its own.
    """
    rng = Random(0)
    places = tables * seats
    for most in COMPANY_MOVES:
        company = Pairings(bots, seats, tables, before)
        companies = anneal(company, min(most, MOVES_EACH * places**2), 1, rng)
        if balance_of((*before, *map(tuple, companies)), bots, seats).pair <= 2:
            break
    seating = Seating(bots, seats, companies, before)
    rows = anneal(seating, min(SEATING_MOVES, MOVES_EACH * places * seats), 1, rng)
    return tuple(tuple(row) for row in rows)


Round = tuple[LineUp, ...]
"""As many line-ups as there are bots: everyone sits once in every seat."""


def cycle_of(bots: int) -> int:
    """How many rounds are one full cycle."""
    return bots - 1


class Designs:
    """What so many bots play at tables of so many seats. What takes a search is asked of the memory first."""

    def __init__(self, bots: int, seats: int, memory: Memory = afresh) -> None:
        self.bots = bots
        self.seats = seats
        self._memory = memory

    def rounds(self, count: int) -> list[Round]:
        """That many rounds, in which pairs and left neighbours meet as equally as can be had."""
        if (field := field_of(self.bots)) is None:
            return self._cyclic_rounds(count)
        cycles, rest = divmod(count, cycle_of(self.bots))
        return self._field_cycle(field) * cycles + self._shifted(self._blocks(rest, ()))

    def tail(self, count: int, before: tuple[LineUp, ...]) -> Rows:
        """That many tables, fewer than a round, after those line-ups (see `tail_of`)."""
        name = name_of("tail", self.bots, self.seats, count, before=before)
        return self._memory(name, lambda: tail_of(self.bots, self.seats, count, before)) if count else ()

    def _field_cycle(self, field: Field) -> list[Round]:
        """The tables a * s + b over GF(bots), a round for each a but 0, a line-up for each b.

        The seats are s = 0, 1, g, g*g, ..., so a * s runs through neighbouring powers of g. Every
        two bots, in order, meet exactly once in every two seats, in order.
        """
        powers, bots = field.powers * 2, range(self.bots)
        blocks = [(0, *powers[start : start + self.seats - 1]) for start in range(cycle_of(self.bots))]
        return [tuple(tuple(field.add(number, shift) for number in block) for shift in bots) for block in blocks]

    def _cyclic_rounds(self, count: int) -> list[Round]:
        """Two cycles at a time, since one cannot always be even; the last few make up for the rest."""
        period = 2 * cycle_of(self.bots)
        repeats = max(0, count - 1) // period
        before = self._blocks(period, ()) * repeats if repeats else ()
        return self._shifted(before + self._blocks(count - len(before), before))

    def _blocks(self, count: int, before: tuple[Block, ...]) -> tuple[Block, ...]:
        name = name_of("blocks", self.bots, self.seats, count, before=before)
        return self._memory(name, lambda: base_blocks(self.bots, self.seats, count, before)) if count else ()

    def _shifted(self, blocks: tuple[Block, ...]) -> list[Round]:
        """The cyclic rounds that grow from base blocks."""
        bots = self.bots
        return [tuple(tuple((number + shift) % bots for number in block) for shift in range(bots)) for block in blocks]
