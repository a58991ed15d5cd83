"""Who sits at one table, for fewer tables than a round has."""

from collections.abc import Iterable
from random import Random

from bourre_referee.contest.schedule.annealing import Move, random_below
from bourre_referee.contest.schedule.balance import LineUp, spread


class Pairings:
    """The bots at each table, without seats, and how often every two of them meet.

    The bots are at equally many tables, give or take one. Those with one table fewer also sit on a bench, the last row,
    where nobody meets; so a move is always an exchange of two bots.
    """

    def __init__(self, bots: int, seats: int, tables: int, before: Iterable[LineUp]) -> None:
        """Fills the tables in turn; the line-ups `before` are counted but not changed."""
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
        """Returns a row and a place in it, twice; the first row is a table."""
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
        """Adds (or takes back, with sign -1) a meeting with each of the others; returns the change in cost."""
        meetings, change = self._meetings, 0
        for other in others:
            if other != bot:
                count = meetings[bot][other]
                meetings[bot][other] = meetings[other][bot] = count + sign
                change += self._cost[count + sign] - self._cost[count]
        return change


def _pair_costs(tables: int, bots: int, seats: int) -> list[int]:
    """Returns the cost of each number of meetings of two bots: the squared distance from the mean, doubled beyond 1.

    With plain squares, some pairs stay two meetings off the mean and others one meeting on its other side, a spread
    of 3.
    """
    mean = round(tables * seats * (seats - 1) / (bots * (bots - 1)))
    distances = [abs(count - mean) for count in range(tables + 1)]
    return [distance**2 if distance < 2 else 2 * distance**2 for distance in distances]
