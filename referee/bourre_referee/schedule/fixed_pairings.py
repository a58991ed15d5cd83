"""Fixed companies: who meets whom is given, and only the seats are left to settle."""

from collections.abc import Sequence
from random import Random

from bourre_referee.schedule.balance import LineUp
from bourre_referee.schedule.duplicate_seatings import seatings
from bourre_referee.schedule.round_robin import Schedule, check_numbers
from bourre_referee.schedule.seeded_choice import shuffled


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
