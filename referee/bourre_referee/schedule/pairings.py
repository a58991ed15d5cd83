"""Who sits at one table, for tables that are less than a round."""

from collections.abc import Iterable
from random import Random

from bourre_referee.schedule.annealing import Move, below
from bourre_referee.schedule.balance import LineUp, spread


class Pairings:
    """Tables without seats, and how often every two bots meet.

    Every bot is at as many tables as another, or one more. Those who are at one less also sit on
    a bench, the last row, where nobody meets: so a move is always an exchange of two bots.
    """

    def __init__(self, bots: int, seats: int, tables: int, before: Iterable[LineUp]) -> None:
        """Tables filled in turn; the line-ups `before` are counted and not changed."""
        places = seats * tables
        laps = -(-places // bots)
        turn = list(range(bots)) * laps
        self._tables = tables
        self._rows = [turn[place : place + seats] for place in range(0, places, seats)]
        self._rows += [turn[places:]] if places < len(turn) else []
        self._together = [[0] * bots for _ in range(bots)]
        past = list(before)
        self._price = _prices(len(past) + tables, bots, seats)
        for company in (*past, *self._rows[:tables]):
            for place, bot in enumerate(company):
                self._meet(bot, company[place:], 1)

    def propose(self, rng: Random) -> Move:
        """A row and a place in it, twice; the first row is a table."""
        row, other = below(self._tables, rng), below(len(self._rows), rng)
        return row, below(len(self._rows[row]), rng), other, below(len(self._rows[other]), rng)

    def exchange(self, move: Move) -> int:
        """Make the move, unless a bot would then sit twice at a table; the change of the price."""
        row, place, other, there = move
        bot, guest = self._rows[row][place], self._rows[other][there]
        if bot in self._rows[other] or guest in self._rows[row]:
            return 0
        return self._replace(row, place, guest) + self._replace(other, there, bot)

    def spread(self) -> int:
        """Largest minus smallest number of meetings of two bots."""
        return spread([count for bot, row in enumerate(self._together) for count in row[bot + 1 :]])

    def rows(self) -> list[list[int]]:
        """A copy of the tables."""
        return [list(row) for row in self._rows[: self._tables]]

    def _replace(self, row: int, place: int, guest: int) -> int:
        company, met = self._rows[row], row < self._tables
        change = self._meet(company[place], company, -1) if met else 0
        company[place] = guest
        return change + (self._meet(guest, company, 1) if met else 0)

    def _meet(self, bot: int, company: Iterable[int], sign: int) -> int:
        together, change = self._together, 0
        for other in company:
            if other != bot:
                count = together[bot][other]
                together[bot][other] = together[other][bot] = count + sign
                change += self._price[count + sign] - self._price[count]
        return change


def _prices(tables: int, bots: int, seats: int) -> list[int]:
    """What it costs that two bots meet so often: the squared distance from the mean, and twice that beyond 1.

    Squares alone leave a pair too many here and a pair too few there; both at once make the spread 3.
    """
    mean = round(tables * seats * (seats - 1) / (bots * (bots - 1)))
    distances = [abs(count - mean) for count in range(tables + 1)]
    return [distance**2 if distance < 2 else 2 * distance**2 for distance in distances]
