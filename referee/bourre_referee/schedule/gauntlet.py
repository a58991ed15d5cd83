"""One bot against a field: it sits at every table."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random

from bourre_referee.schedule.annealing import Memory, afresh, shuffled
from bourre_referee.schedule.balance import LineUp
from bourre_referee.schedule.designs import Designs, Round
from bourre_referee.schedule.round_robin import Schedule, check_numbers


def gauntlet(bots: int, seats: int, rounds: int, champion: int, seed: bytes, memory: Memory = afresh) -> Schedule:
    """Whole rounds of `seats` * (`bots` - 1) tables, with the champion, a bot's index, at each.

    In a round the champion sits equally often in every seat, and everyone else does too; the others meet each other
    as equally as can be had. ValueError if the numbers cannot be played.
    """
    check_numbers(bots, seats, rounds)
    rng = Random(seed)
    part = shuffled((bot for bot in range(bots) if bot != champion), rng)
    circles = _opened(_rounds_among(bots - 1, seats - 1, seats * rounds, memory))
    played = shuffled((_around(champion, step % seats, circle, part) for step, circle in enumerate(circles)), rng)
    field = tuple(bot for bot in range(bots) if bot != champion)
    return Schedule(bots, seats, rounds, tuple(chain.from_iterable(played)), ((champion,), field))


def _rounds_among(bots: int, seats: int, rounds: int, memory: Memory) -> list[Round]:
    """Rounds of the others, who have one seat less."""
    if seats == 1:
        return [tuple((bot,) for bot in range(bots))] * rounds
    return Designs(bots, seats, memory).rounds(rounds)


def _opened(designs: list[Round]) -> Iterator[Round]:
    """Each round's circles opened for the champion, between those seats where two bots were parted least so far."""
    parted: Counter[tuple[int, ...]] = Counter()
    for design in designs:
        seats = range(len(design[0]))
        gap = min(seats, key=lambda seat: sum(parted[company[seat - 1], company[seat]] for company in design))
        parted.update((company[gap - 1], company[gap]) for company in design)
        yield tuple(company[gap:] + company[:gap] for company in design)


def _around(champion: int, seat: int, circles: Round, part: list[int]) -> list[LineUp]:
    """The tables of a round with the champion in this seat, and the others in order from its left."""
    return [_turned((champion, *(part[number] for number in circle)), seat) for circle in circles]


def _turned(line_up: LineUp, seats: int) -> LineUp:
    """The same circle, so many seats on."""
    first = len(line_up) - seats
    return line_up[first:] + line_up[:first]
