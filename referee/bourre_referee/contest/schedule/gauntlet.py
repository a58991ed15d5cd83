"""Gauntlets: one bot, the champion, sits at every table."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random

from bourre_referee.contest.schedule.annealing import SearchCache, no_cache, random_order
from bourre_referee.contest.schedule.balance import LineUp
from bourre_referee.contest.schedule.designs import Designs, Round
from bourre_referee.contest.schedule.round_robin import Schedule, check_numbers


def gauntlet(bots: int, seats: int, rounds: int, champion: int, seed: bytes, cache: SearchCache = no_cache) -> Schedule:
    """Makes whole rounds of `seats` * (`bots` - 1) tables. `champion` is the index of the bot that sits at each.

    In a round every bot, including the champion, sits equally often in every seat. The others meet as equally as
    possible. Raises ValueError if the numbers cannot be played.
    """
    check_numbers(bots, seats, rounds)
    rng = Random(seed)
    part = random_order((bot for bot in range(bots) if bot != champion), rng)
    circles = _open_circles(_rounds_among(bots - 1, seats - 1, seats * rounds, cache))
    played = random_order(
        (_seat_champion(champion, step % seats, circle, part) for step, circle in enumerate(circles)), rng
    )
    field = tuple(bot for bot in range(bots) if bot != champion)
    return Schedule(bots, seats, rounds, tuple(chain.from_iterable(played)), ((champion,), field))


def _rounds_among(bots: int, seats: int, rounds: int, cache: SearchCache) -> list[Round]:
    """Returns rounds of the other bots, which have one seat fewer."""
    if seats == 1:
        return [tuple((bot,) for bot in range(bots))] * rounds
    return Designs(bots, seats, cache).rounds(rounds)


def _open_circles(designs: list[Round]) -> Iterator[Round]:
    """Opens each round's circles for the champion, between the neighbours that it has separated least often."""
    separations: Counter[tuple[int, ...]] = Counter()
    for design in designs:
        seats = range(len(design[0]))
        gap = min(seats, key=lambda seat: sum(separations[circle[seat - 1], circle[seat]] for circle in design))
        separations.update((circle[gap - 1], circle[gap]) for circle in design)
        yield tuple(circle[gap:] + circle[:gap] for circle in design)


def _seat_champion(champion: int, seat: int, circles: Round, part: list[int]) -> list[LineUp]:
    """Returns the tables of a round. The champion has this seat, and the others follow from its left."""
    return [_rotate((champion, *(part[number] for number in circle)), seat) for circle in circles]


def _rotate(line_up: LineUp, seats: int) -> LineUp:
    """Returns the same circle, moved on by this many seats."""
    first = len(line_up) - seats
    return line_up[first:] + line_up[:first]
