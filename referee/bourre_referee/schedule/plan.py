"""The two ways to ask for a schedule: by rounds, or by tables."""

from dataclasses import dataclass
from itertools import chain
from random import Random

from bourre_referee.schedule.balance import Balance, LineUp, balance_of
from bourre_referee.schedule.chance import shuffled
from bourre_referee.schedule.designs import cycle_of, rounds_of
from bourre_referee.schedule.tail import tail_of


@dataclass(frozen=True, slots=True)
class Schedule:
    """Line-ups in the order in which they are played and rated."""

    bots: int
    seats: int
    rounds: int
    """Whole rounds: in each, every bot sits once in every seat."""
    line_ups: tuple[LineUp, ...]

    @property
    def balance(self) -> Balance:
        """How evenly the bots are treated, counted from the line-ups."""
        return balance_of(self.line_ups, self.bots, self.seats)


def round_robin(bots: int, seats: int, rounds: int | None, seed: bytes) -> Schedule:
    """Whole rounds of `bots` tables each; without `rounds` one full cycle, of bots - 1 rounds.

    A full cycle is exact where the number of bots is a prime power: every two bots meet equally
    often, and as left neighbours too. Other meetings differ by 1, sometimes 2: `balance` says.
    The seed decides which bot plays which part and the order of the rounds, never how even they
    are. ValueError if the numbers cannot be played.
    """
    _check(bots, seats)
    rounds = cycle_of(bots) if rounds is None else rounds
    if rounds < 1:
        raise ValueError(f"{rounds} rounds are no schedule: ask for 1 or more")
    return _schedule(bots, seats, rounds, 0, seed)


def tables(bots: int, seats: int, count: int, seed: bytes) -> Schedule:
    """Any number of tables: as many whole rounds as fit, then a tail.

    With a tail a bot sits in a seat, and at a table, once more than another at most; meetings
    differ by up to 3. Else as `round_robin`. ValueError if the numbers cannot be played.
    """
    _check(bots, seats)
    if count < 1:
        raise ValueError(f"{count} tables are no schedule: ask for 1 or more")
    return _schedule(bots, seats, *divmod(count, bots), seed)


def _schedule(bots: int, seats: int, rounds: int, rest: int, seed: bytes) -> Schedule:
    """Design first, then hand its numbers out to the bots."""
    rng = Random(seed)
    part = shuffled(range(bots), rng)
    played = list(chain.from_iterable(shuffled(rounds_of(bots, seats, rounds), rng)))
    played += tail_of(bots, seats, rest, played)
    line_ups = tuple(tuple(part[number] for number in line_up) for line_up in played)
    return Schedule(bots, seats, rounds, line_ups)


def _check(bots: int, seats: int) -> None:
    if not 2 <= seats <= 8:
        raise ValueError(f"a table has 2 to 8 seats, not {seats}")
    if bots < seats:
        raise ValueError(f"{bots} bots cannot fill {seats} seats: add {seats - bots} more, or set seats = {bots}")
