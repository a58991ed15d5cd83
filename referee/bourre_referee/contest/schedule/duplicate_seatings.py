"""The seatings of a duplicate deal: every bot sits once in every seat, and meets all neighbours equally often."""

from collections.abc import Sequence
from functools import cache
from random import Random

from bourre_referee.contest.schedule.annealing import random_order
from bourre_referee.contest.schedule.balance import LineUp
from bourre_referee.contest.schedule.designs import Designs, rounds_per_cycle
from bourre_referee.contest.schedule.round_robin import Schedule, check_numbers

Seatings = tuple[LineUp, ...]
"""A line-up for each seating, which is a Latin square. Bots are numbered from 0."""

SIX_SEATS = (
    (0, 1, 4, 5, 3, 2),
    (0, 1, 2, 5, 4, 3),
    (0, 5, 3, 1, 2, 4),
    (0, 2, 4, 1, 5, 3),
    (0, 1, 3, 5, 4, 2),
    (0, 2, 1, 5, 4, 3),
    (0, 2, 3, 4, 1, 5),
    (0, 1, 4, 3, 5, 2),
    (0, 3, 4, 2, 5, 1),
    (0, 5, 1, 2, 4, 3),
)
"""The first line-ups of ten cyclic Latin squares, found by search. Over all ten, every two bots sit equally often at
every distance. For other sizes a finite field gives the squares, but no field has six elements."""


def seatings(seats: int, deal: int) -> Seatings:
    """Returns the seatings of a deal, numbered from 1: one for each of the 2 to 8 seats."""
    squares = _squares(seats)
    return squares[(deal - 1) % len(squares)]


@cache
def _squares(seats: int) -> tuple[Seatings, ...]:
    if seats != 6:
        return tuple(Designs(seats, seats).rounds(rounds_per_cycle(seats)))
    return tuple(tuple(tuple((bot + shift) % 6 for bot in first) for shift in range(6)) for first in SIX_SEATS)


def fixed_line_ups(bots: int, seats: int, line_ups: Sequence[LineUp], repeats: int, seed: bytes) -> Schedule:
    """Schedules each line-up in `seats` seatings, with each bot once in every seat, and repeats the whole.

    The neighbours vary from one repeat to the next. Raises ValueError if the numbers cannot be played.
    """
    check_numbers(bots, seats, repeats)
    rng = Random(seed)
    parts = [random_order(line_up, rng) for line_up in line_ups]
    played = [
        tuple(part[number] for number in seating)
        for repeat in range(repeats)
        for part in parts
        for seating in random_order(seatings(seats, repeat + 1), rng)
    ]
    return Schedule(bots, seats, repeats, tuple(played), tuple((bot,) for bot in range(bots)))
