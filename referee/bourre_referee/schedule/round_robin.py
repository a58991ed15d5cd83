"""The two ways to ask for a schedule: by rounds, or by tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from bourre_referee.schedule.annealing import Memory, afresh, shuffled
from bourre_referee.schedule.balance import Balance, LineUp, balance_of
from bourre_referee.schedule.designs import Designs, cycle_of


@dataclass(frozen=True, slots=True)
class Schedule:
    """Line-ups in the order in which they are played and rated."""

    bots: int
    seats: int
    rounds: int
    """Whole rounds: in each, every bot sits equally often in every seat."""
    line_ups: tuple[LineUp, ...]
    groups: tuple[tuple[int, ...], ...] | None = None
    """The bots that are to be treated alike; None: all of them."""

    @property
    def balance(self) -> Balance:
        """How evenly the bots are treated, counted from the line-ups."""
        return balance_of(self.line_ups, self.bots, self.seats, self.groups)


def round_robin(bots: int, seats: int, rounds: int | None, seed: bytes, memory: Memory = afresh) -> Schedule:
    """Whole rounds of `bots` tables each; without `rounds` one full cycle, of bots - 1 rounds.

    A full cycle is exact where the number of bots is a prime power: every two bots meet equally
    often, and as left neighbours too. Other meetings differ by 1, sometimes 2: `balance` says.
    The seed decides which bot plays which part and the order of the rounds, never how even they
    are. ValueError if the numbers cannot be played.
    """
    rounds = cycle_of(bots) if rounds is None else rounds
    check_numbers(bots, seats, rounds)
    return _schedule(Designs(bots, seats, memory), rounds, 0, seed)


def tables(bots: int, seats: int, count: int, seed: bytes, memory: Memory = afresh) -> Schedule:
    """Any number of tables: as many whole rounds as fit, then a tail.

    With a tail a bot sits in a seat, and at a table, once more than another at most; meetings
    differ by 2 at most nearly wherever it was tried, and else by 3. Else as `round_robin`.
    ValueError if the numbers cannot be played.
    """
    check_numbers(bots, seats)
    if count < 1:
        raise ValueError(f"{count} tables are no schedule: ask for 1 or more")
    return _schedule(Designs(bots, seats, memory), *divmod(count, bots), seed)


def _schedule(designs: Designs, rounds: int, rest: int, seed: bytes) -> Schedule:
    """Design first, then hand its numbers out to the bots."""
    rng = Random(seed)
    part = shuffled(range(designs.bots), rng)
    played = list(chain.from_iterable(shuffled(designs.rounds(rounds), rng)))
    played += designs.tail(rest, tuple(played))
    line_ups = tuple(tuple(part[number] for number in line_up) for line_up in played)
    return Schedule(designs.bots, designs.seats, rounds, line_ups)


def check_numbers(bots: int, seats: int, rounds: int = 1) -> None:
    """ValueError, with the mend, if so many bots cannot play at such tables."""
    if not 2 <= seats <= 8:
        raise ValueError(f"a table has 2 to 8 seats, not {seats}")
    if bots < seats:
        smaller = f", or set seats = {bots}" if bots > 1 else ""
        raise ValueError(f"{bots} bots cannot fill {seats} seats: add {seats - bots} more{smaller}")
    if rounds < 1:
        raise ValueError(f"{rounds} rounds are no schedule: ask for 1 or more")


def document(schedule: Schedule, names: Sequence[str]) -> str:
    """One JSON document: the matches in order, and the balance reached."""
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


def lines(schedule: Schedule, names: Sequence[str]) -> Iterator[str]:
    """The balance first, then a line for each match."""
    size = f"{len(schedule.line_ups)} matches of {schedule.bots} bots at tables of {schedule.seats}"
    yield f"{size}: {_rounds(schedule)}"
    yield from balance_lines(schedule)
    width = len(str(len(schedule.line_ups)))
    for number, line_up in enumerate(schedule.line_ups, start=1):
        yield f"{number:>{width}}  {' '.join(names[bot] for bot in line_up)}"


def balance_lines(schedule: Schedule) -> Iterator[str]:
    """How even it is: a line about seats, and where meetings are not given, one about meetings."""
    balance = schedule.balance
    yield f"seats: every bot sits equally often in every seat{_beyond(balance.seat)}"
    if schedule.groups is None or len(schedule.groups) < schedule.bots:
        yield f"meetings: {_meetings(schedule, balance)}"


def _meetings(schedule: Schedule, balance: Balance) -> str:
    among = "every two bots" if schedule.groups is None else "every two bots of the field"
    pairs = f"{among} meet equally often{_beyond(balance.pair)}"
    if balance.pair > 1:
        pairs += ", the least that was found"
    return f"{pairs}; as left neighbours too{_beyond(balance.neighbour)}"


def _beyond(spread: int) -> str:
    return f" but for a difference of {spread}" if spread else ""


def _rounds(schedule: Schedule) -> str:
    rest = len(schedule.line_ups) - schedule.rounds * schedule.bots
    rounds = f"{schedule.rounds} round{'s' if schedule.rounds != 1 else ''}"
    return f"{rounds} and {rest} tables" if rest else rounds
