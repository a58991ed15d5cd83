"""Round robins, by number of rounds or of tables, and the text of a schedule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from bourre_referee.contest.schedule.annealing import SearchCache, no_cache, random_order
from bourre_referee.contest.schedule.balance import Balance, LineUp, measure_balance
from bourre_referee.contest.schedule.designs import Designs, rounds_per_cycle


@dataclass(frozen=True, slots=True)
class Schedule:
    """Line-ups in the order in which they are played and rated."""

    bots: int
    seats: int
    rounds: int
    """The number of whole rounds. In each, every bot sits equally often in every seat."""
    line_ups: tuple[LineUp, ...]
    groups: tuple[tuple[int, ...], ...] | None = None
    """Groups of bots that are treated alike; None means all bots."""

    @property
    def balance(self) -> Balance:
        """How evenly the bots are treated, counted from the line-ups."""
        return measure_balance(self.line_ups, self.bots, self.seats, self.groups)


def round_robin(bots: int, seats: int, rounds: int | None, seed: bytes, cache: SearchCache = no_cache) -> Schedule:
    """Makes whole rounds of `bots` tables each. Without `rounds` it makes one full cycle of bots - 1 rounds.

    If the number of bots is a prime power, every two bots of a full cycle meet equally often, also as left neighbours.
    Otherwise meetings differ by 1, sometimes 2: see `balance`. The seed decides the part of each bot and the order of
    the rounds, but not the balance. Raises ValueError if the numbers cannot be played.
    """
    rounds = rounds_per_cycle(bots) if rounds is None else rounds
    check_numbers(bots, seats, rounds)
    return _schedule(Designs(bots, seats, cache), rounds, 0, seed)


def round_robin_tables(bots: int, seats: int, count: int, seed: bytes, cache: SearchCache = no_cache) -> Schedule:
    """Makes any number of tables: as many whole rounds as fit, as in `round_robin`, then a tail.

    With a tail, bots differ by at most 1 in their matches, in total and in each seat. Meetings differ by at most 2 in
    nearly all tested cases, and by 3 in the others. Raises ValueError if the numbers cannot be played.
    """
    check_numbers(bots, seats)
    if count < 1:
        raise ValueError(f"a schedule has 1 or more tables, not {count}")
    return _schedule(Designs(bots, seats, cache), *divmod(count, bots), seed)


def _schedule(designs: Designs, rounds: int, rest: int, seed: bytes) -> Schedule:
    """Makes the design, then assigns its numbers to the bots."""
    rng = Random(seed)
    part = random_order(range(designs.bots), rng)
    played = list(chain.from_iterable(random_order(designs.rounds(rounds), rng)))
    played += designs.tail(rest, tuple(played))
    line_ups = tuple(tuple(part[number] for number in line_up) for line_up in played)
    return Schedule(designs.bots, designs.seats, rounds, line_ups)


def check_numbers(bots: int, seats: int, rounds: int = 1) -> None:
    """Raises ValueError if this many bots cannot play at such tables."""
    if not 2 <= seats <= 8:
        raise ValueError(f"a table has 2 to 8 seats, not {seats}")
    if bots < seats:
        smaller = f", or use {bots} seats" if bots > 1 else ""
        raise ValueError(f"{bots} bots cannot fill a table of {seats}.\nhint: add {seats - bots} more{smaller}")
    if rounds < 1:
        raise ValueError(f"a schedule has 1 or more rounds, not {rounds}")


def schedule_json(schedule: Schedule, names: Sequence[str]) -> str:
    """Returns the schedule as JSON: the matches in order, and the balance."""
    balance = schedule.balance
    values = {
        "matches": [{"seats": [names[bot] for bot in line_up]} for line_up in schedule.line_ups],
        "balance": {
            "seat_spread": balance.seat,
            "pair_spread": balance.pair,
            "left_neighbour_spread": balance.neighbour,
        },
    }
    return json.dumps(values)


def schedule_lines(schedule: Schedule, names: Sequence[str]) -> Iterator[str]:
    """Yields lines: the size, the balance, and each match."""
    size = f"{len(schedule.line_ups)} matches of {schedule.bots} bots at tables of {schedule.seats}"
    yield f"{size}: {_rounds(schedule)}"
    yield from balance_lines(schedule)
    width = len(str(len(schedule.line_ups)))
    for number, line_up in enumerate(schedule.line_ups, start=1):
        yield f"{number:>{width}}  {' '.join(names[bot] for bot in line_up)}"


def balance_lines(schedule: Schedule) -> Iterator[str]:
    """Yields a line about seats, and one about meetings unless the file lists the line-ups."""
    balance = schedule.balance
    yield f"seats: every bot sits equally often in every seat{_except_for(balance.seat)}"
    if schedule.groups is None or len(schedule.groups) < schedule.bots:
        yield f"meetings: {_meetings(schedule, balance)}"


def _meetings(schedule: Schedule, balance: Balance) -> str:
    among = "every two bots" if schedule.groups is None else "every two bots of the field"
    pairs = f"{among} meet equally often{_except_for(balance.pair)}"
    if balance.pair > 1:
        pairs += ", the smallest difference found"
    return f"{pairs}, and as left neighbours{_except_for(balance.neighbour)}"


def _except_for(spread: int) -> str:
    return f" (or {spread} more)" if spread else ""


def _rounds(schedule: Schedule) -> str:
    rest = len(schedule.line_ups) - schedule.rounds * schedule.bots
    rounds = f"{schedule.rounds} round{'s' if schedule.rounds != 1 else ''}"
    return f"{rounds} and {rest} tables" if rest else rounds
