"""Who sits in which seat, for tables that are less than a round."""

from collections.abc import Iterable, Sequence
from random import Random

from bourre_referee.schedule.annealing import Move, below
from bourre_referee.schedule.balance import LineUp, spread

EMPTY = -1
"""In place of a bot: nobody sits here yet."""


class Seating:
    """Line-ups in which no bot sits twice in one seat, and how often who sits to whose left.

    König (1916): there are such line-ups whenever no bot is at more tables than there are
    seats. To make room, two seats are exchanged at one table and at all those where that would
    put somebody twice into one of them, and so on: they form a chain.
    """

    def __init__(self, bots: int, seats: int, companies: Sequence[Sequence[int]], before: Iterable[LineUp]) -> None:
        """Seat each company at a table; the line-ups `before` are counted and not changed."""
        self._rows = [[EMPTY] * seats for _ in companies]
        self._table_of: list[dict[int, int]] = [{} for _ in range(seats)]
        for table, company in enumerate(companies):
            for bot in company:
                self._seat(bot, table)
        self._at_left = [[0] * bots for _ in range(bots)]
        for line_up in (*before, *self._rows):
            self._count(line_up, 1)

    def propose(self, rng: Random) -> Move:
        """A table and two seats."""
        seats = len(self._table_of)
        return below(len(self._rows), rng), below(seats, rng), below(seats, rng)

    def exchange(self, move: Move) -> int:
        """Exchange two seats along the chain of a table; the change of the squares."""
        chain = self._chain(*move)
        change = sum(self._count(self._rows[table], -1) for table in chain)
        self._flip(chain, *move[1:])
        return change + sum(self._count(self._rows[table], 1) for table in chain)

    def spread(self) -> int:
        """Largest minus smallest number of times that a bot has another at its left."""
        return spread([n for a, row in enumerate(self._at_left) for b, n in enumerate(row) if a != b])

    def rows(self) -> list[list[int]]:
        """A copy of the line-ups."""
        return [list(row) for row in self._rows]

    def _seat(self, bot: int, table: int) -> None:
        """A seat empty at this table; who sat in it elsewhere moves to one new to the bot."""
        seats = range(len(self._table_of))
        empty = next(seat for seat in seats if self._rows[table][seat] == EMPTY)
        new = next(seat for seat in seats if bot not in self._table_of[seat])
        if (elsewhere := self._table_of[empty].get(bot)) is not None:
            self._flip(self._chain(elsewhere, empty, new), empty, new)
        self._put(bot, table, empty)

    def _chain(self, table: int, seat: int, other: int) -> list[int]:
        """The tables at which the two seats must be exchanged together."""
        chain = [table]
        for found in chain:  # which grows meanwhile
            here, there = self._rows[found][seat], self._rows[found][other]
            for clash in (self._table_of[other].get(here), self._table_of[seat].get(there)):
                if clash is not None and clash not in chain:
                    chain.append(clash)
        return chain

    def _flip(self, chain: Iterable[int], seat: int, other: int) -> None:
        pairs = [(table, self._rows[table][seat], self._rows[table][other]) for table in chain]
        for _, here, there in pairs:
            self._table_of[seat].pop(here, None)
            self._table_of[other].pop(there, None)
        for table, here, there in pairs:
            self._put(there, table, seat)
            self._put(here, table, other)

    def _put(self, bot: int, table: int, seat: int) -> None:
        self._rows[table][seat] = bot
        self._table_of[seat][bot] = table

    def _count(self, line_up: Sequence[int], sign: int) -> int:
        change, seats = 0, len(line_up)
        for seat, bot in enumerate(line_up):
            row, left = self._at_left[bot], line_up[(seat + 1) % seats]
            change += sign * (2 * row[left] + sign)
            row[left] += sign
        return change
