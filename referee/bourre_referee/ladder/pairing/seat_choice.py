"""Who sits where at one table: each bot where it sat least, then beside those to whose right it sat least."""

from __future__ import annotations

from itertools import combinations

from bourre_referee.ladder.log.entrant import Entrant

SEAT_WEIGHT = 1_000
"""An uneven seat counts for more than any number of uneven neighbours, at a table of 8 of bots that meet normally."""


def choose_seats(table: list[Entrant]) -> list[Entrant]:
    """Returns the bots by seat, from any order of them, which decides between seatings that are as even."""
    line_up = _greedy(table)
    cost = _cost(line_up)
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(line_up)), 2):
            line_up[one], line_up[other] = line_up[other], line_up[one]
            if (new := _cost(line_up)) < cost:
                cost, improved = new, True
            else:
                line_up[one], line_up[other] = line_up[other], line_up[one]
    return line_up


def _greedy(table: list[Entrant]) -> list[Entrant]:
    left = list(table)
    line_up = []
    for seat in range(len(table)):
        line_up.append(min(left, key=lambda bot: bot.at_seat[seat]))
        left.remove(line_up[-1])
    return line_up


def _cost(line_up: list[Entrant]) -> int:
    """Returns by how much these seats add to the sum of all squared counts, halved and but for a constant."""
    seats = sum(bot.at_seat[seat] for seat, bot in enumerate(line_up))
    lefts = sum(bot.at_left[left.number] for bot, left in zip(line_up, [*line_up[1:], line_up[0]], strict=True))
    return SEAT_WEIGHT * seats + lefts
