"""The seatings of a duplicate deal: every bot once in every seat, and over the deals with every neighbour alike."""

from collections.abc import Sequence
from functools import cache
from random import Random

from bourre_referee.schedule.annealing import shuffled
from bourre_referee.schedule.balance import LineUp
from bourre_referee.schedule.designs import Designs, cycle_of
from bourre_referee.schedule.round_robin import Schedule, check_numbers

Seatings = tuple[LineUp, ...]
"""A Latin square: one line-up for each seating, in which bots are their numbers from 0."""

SIX = (
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
"""First line-ups of ten cyclic Latin squares, found by search: over all ten, every two bots sit equally often at every
distance. There is no field of six elements, which gives the squares of all other tables."""


def seatings(seats: int, deal: int) -> Seatings:
    """The seatings of one deal (from 1) at a table of 2 to 8 seats, as many as there are seats."""
    squares = _squares(seats)
    return squares[(deal - 1) % len(squares)]


@cache
def _squares(seats: int) -> tuple[Seatings, ...]:
    if seats != 6:
        return tuple(Designs(seats, seats).rounds(cycle_of(seats)))
    return tuple(tuple(tuple((bot + shift) % 6 for bot in first) for shift in range(6)) for first in SIX)


def fixed(bots: int, seats: int, companies: Sequence[LineUp], repeats: int, seed: bytes) -> Schedule:
    """Each company in `seats` seatings, in which each of its bots sits once in every seat; all of that `repeats` times.

    From one repeat to the next the neighbours vary. A company is the indices of its bots. ValueError if the numbers
    cannot be played.
    """
    check_numbers(bots, seats, repeats)
    rng = Random(seed)
    parts = [shuffled(company, rng) for company in companies]
    line_ups = [
        tuple(part[number] for number in seating)
        for repeat in range(repeats)
        for part in parts
        for seating in shuffled(seatings(seats, repeat + 1), rng)
    ]
    return Schedule(bots, seats, repeats, tuple(line_ups), tuple((bot,) for bot in range(bots)))
