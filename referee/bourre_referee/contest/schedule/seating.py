"""Arranges fewer tables than a round: first the bots of each table, then their seats."""

from collections.abc import Iterable, Sequence
from random import Random

from bourre_referee.contest.schedule.annealing import Move, random_below
from bourre_referee.contest.schedule.balance import LineUp, spread


class Pairings:
    """The bots at each table, without seats, and how often every two of them meet.

    The numbers of tables of two bots differ by at most one. The bots with one table fewer are also in the last row,
    which is no table. So a move is always an exchange of two bots.
    """

    def __init__(self, bots: int, seats: int, tables: int, before: Iterable[LineUp]) -> None:
        """Fills the tables in turn. The line-ups `before` are counted but not changed."""
        places = seats * tables
        laps = -(-places // bots)
        turn = list(range(bots)) * laps
        self._tables = tables
        self._rows = [turn[place : place + seats] for place in range(0, places, seats)]
        self._rows += [turn[places:]] if places < len(turn) else []
        self._meetings = [[0] * bots for _ in range(bots)]
        past = list(before)
        self._cost = _pair_costs(len(past) + tables, bots, seats)
        for table in (*past, *self._rows[:tables]):
            for place, bot in enumerate(table):
                self._meet(bot, table[place:], 1)

    def propose(self, rng: Random) -> Move:
        """Returns a row and a place in it, twice. The first row is a table."""
        row, other = random_below(self._tables, rng), random_below(len(self._rows), rng)
        return row, random_below(len(self._rows[row]), rng), other, random_below(len(self._rows[other]), rng)

    def exchange(self, move: Move) -> int:
        """Makes the move, unless a bot would then sit twice at a table, and returns the change in cost."""
        row, place, other, there = move
        bot, guest = self._rows[row][place], self._rows[other][there]
        if bot in self._rows[other] or guest in self._rows[row]:
            return 0
        return self._replace(row, place, guest) + self._replace(other, there, bot)

    def spread(self) -> int:
        """Returns the largest number of meetings of two bots minus the smallest."""
        return spread([count for bot, row in enumerate(self._meetings) for count in row[bot + 1 :]])

    def rows(self) -> list[list[int]]:
        """Returns a copy of the tables."""
        return [list(row) for row in self._rows[: self._tables]]

    def _replace(self, row: int, place: int, guest: int) -> int:
        bots, is_table = self._rows[row], row < self._tables
        change = self._meet(bots[place], bots, -1) if is_table else 0
        bots[place] = guest
        return change + (self._meet(guest, bots, 1) if is_table else 0)

    def _meet(self, bot: int, others: Iterable[int], sign: int) -> int:
        """Adds `sign` meetings with each of the others, and returns the change in cost."""
        meetings, change = self._meetings, 0
        for other in others:
            if other != bot:
                count = meetings[bot][other]
                meetings[bot][other] = meetings[other][bot] = count + sign
                change += self._cost[count + sign] - self._cost[count]
        return change


def _pair_costs(tables: int, bots: int, seats: int) -> list[int]:
    """Returns the cost of each number of meetings of two bots: the squared distance from the mean, doubled beyond 1.

    Plain squares would allow a spread of 3: some pairs two meetings above the mean, and others one below.
    """
    mean = round(tables * seats * (seats - 1) / (bots * (bots - 1)))
    distances = [abs(count - mean) for count in range(tables + 1)]
    return [distance**2 if distance < 2 else 2 * distance**2 for distance in distances]


EMPTY = -1
"""Marks an empty seat."""


class SeatOrder:
    """Line-ups in which no bot sits twice in one seat, and how often each bot sits to another's left.

    Such line-ups exist if no bot is at more tables than there are seats (König 1916). To free a seat, two seats are
    exchanged at one table, then at each table where the exchange gives a bot the same seat twice, and so on. These
    tables form a chain.
    """

    def __init__(self, bots: int, seats: int, tables: Sequence[Sequence[int]], before: Iterable[LineUp]) -> None:
        """Seats the bots of each table. The line-ups `before` are counted but not changed."""
        self._rows = [[EMPTY] * seats for _ in tables]
        self._table_of: list[dict[int, int]] = [{} for _ in range(seats)]
        for table, bots_there in enumerate(tables):
            for bot in bots_there:
                self._seat(bot, table)
        self._at_left = [[0] * bots for _ in range(bots)]
        for line_up in (*before, *self._rows):
            self._count(line_up, 1)

    def propose(self, rng: Random) -> Move:
        """Returns a table and two seats."""
        seats = len(self._table_of)
        return random_below(len(self._rows), rng), random_below(seats, rng), random_below(seats, rng)

    def exchange(self, move: Move) -> int:
        """Exchanges two seats along the chain of a table, and returns the change in cost."""
        chain = self._chain(*move)
        change = sum(self._count(self._rows[table], -1) for table in chain)
        self._flip(chain, *move[1:])
        return change + sum(self._count(self._rows[table], 1) for table in chain)

    def spread(self) -> int:
        """Returns the largest count of a bot at another's left minus the smallest."""
        return spread([n for a, row in enumerate(self._at_left) for b, n in enumerate(row) if a != b])

    def rows(self) -> list[list[int]]:
        """Returns a copy of the line-ups."""
        return [list(row) for row in self._rows]

    def _seat(self, bot: int, table: int) -> None:
        """Seats a bot in the first empty seat of a table. If it has that seat at another table, it moves there."""
        seats = range(len(self._table_of))
        empty = next(seat for seat in seats if self._rows[table][seat] == EMPTY)
        new = next(seat for seat in seats if bot not in self._table_of[seat])
        if (elsewhere := self._table_of[empty].get(bot)) is not None:
            self._flip(self._chain(elsewhere, empty, new), empty, new)
        self._put(bot, table, empty)

    def _chain(self, table: int, seat: int, other: int) -> list[int]:
        """Returns the tables at which the two seats must be exchanged together."""
        chain = [table]
        for found in chain:  # the loop extends it
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
