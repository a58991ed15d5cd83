"""Pairs the next room: a pure function of the logged state and the epoch's seed, which anyone can recompute.

The bot with the fewest turns, and among these the one that has waited longest, is always seated. Then come newcomers,
bots that waited too long, and again bots with the fewest turns. Among these, the ladder prefers even meetings, then
tied neighbours on the board, and then decides by the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, islice

from bourre.rules.deck import derive
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import LadderError, LadderOpened
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.log.waiting_list import LEAD, WaitingList

CHOICE = 8
"""The number of longest-waiting candidates for each seat."""

CHOOSABLE = 2
"""If enough bots for this many tables wait, an uneven table may begin."""

SLACK = 0.5
"""The allowed average excess of meetings at a table, if others will soon be back."""

SHARE = 0.1
"""An additional excess as a share of the even number, because bots of a long room find others that have met."""

Draw = Callable[[str], bytes]
"""Returns a random value for each bot's name, to break ties."""


@dataclass(frozen=True, slots=True)
class RoomChoice:
    """A room that can begin."""

    line_up: tuple[str, ...]
    """The bots by seat."""
    rated: bool
    """False for a probation room."""


def pair(state: LadderState, seed: bytes, clock_class: str) -> RoomChoice | None:
    """Pairs the next room of a clock class; None if no room can begin before the next event.

    `seed` is from the epoch. Probation rooms come first, but never two in a row if a rated room can begin.
    """
    waiting, terms = state.lists.get(clock_class), opened(state)
    if waiting is None:
        return None
    draw = _draw(derive(seed, f"pairing of room {state.rooms_paired + 1}"))
    if waiting.probation_was_last and (rated := _rated_room(waiting, terms, draw)):
        return rated
    return _probation_room(waiting, terms, draw) or _rated_room(waiting, terms, draw)


def opened(state: LadderState) -> LadderOpened:
    """Returns the terms of a ladder. Raises LadderError if its log is empty."""
    if state.terms is None:
        raise LadderError("the ladder is not open: its log must begin with its terms")
    return state.terms


def _draw(seed: bytes) -> Draw:
    return cache(lambda bot: derive(seed, bot))


def _probation_room(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> RoomChoice | None:
    """Pairs the longest-waiting newcomer with staff bots, at a smaller table if there are few."""
    newcomer = next(iter(waiting.probation), None)
    if newcomer is None or not waiting.staff:
        return None
    staff = sorted(waiting.staff, key=draw)[: terms.seats - 1]
    return RoomChoice(tuple(sorted([newcomer, *staff], key=draw)), rated=False)


def _rated_room(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> RoomChoice | None:
    table = choose_table(waiting, terms, draw)
    if len(table) < terms.seats:
        return None
    line_up = choose_seats(sorted(table, key=lambda bot: draw(bot.bot)))
    return RoomChoice(tuple(bot.bot for bot in line_up), rated=True)


def choose_table(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> list[LadderEntrant]:
    """Returns the bots of the next rated room; fewer than its seats if it cannot begin.

    By rule 1, an uneven table waits while few bots wait and others play. By rule 2, it waits only until a room other
    than that of its own bots has ended, and not if a long room made it uneven by less than `SHARE`.
    """
    table = _table_in_turn(waiting, terms, draw)
    if len(table) < terms.seats or not _is_uneven(table, waiting, terms):
        return table
    even = _even_table(waiting, terms, draw)
    if len(even) == terms.seats and not _is_uneven(even, waiting, terms):
        return even
    few = len(waiting) < CHOOSABLE * terms.seats
    if not few or not waiting.awaits_others():
        return table
    if waiting.pairing < 2:
        return []
    have_waited = any(bot.ended_before < waiting.ended for bot in table)
    share = SHARE if waiting.lengths.has_overlong else 0.0
    return table if have_waited or not _is_uneven(table, waiting, terms, share) else []


def _table_in_turn(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> list[LadderEntrant]:
    """Chooses the first in turn, newcomers, bots that have waited too long, then bots with the fewest turns.

    Bots that would get ahead of a bot in a room by more than `LEAD` rooms wait for the end of that room. Bots that must
    rest wait for any room.
    """
    table = list(islice(waiting, 1))
    if table and waiting.must_rest(table[0]) and waiting.awaits_others():
        return []
    _seat_newcomers(table, waiting, terms)
    _seat_overdue(table, waiting, terms)
    for turns in waiting.turns():
        if len(table) == terms.seats or (turns >= waiting.floor + LEAD and waiting.stragglers()):
            break
        _fill(table, partial(waiting.ready_with, turns), waiting, terms, draw)
    return table


def _even_table(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> list[LadderEntrant]:
    """Chooses the first in turn, and the bots that it has met least and that would not get too far ahead."""
    table = [next(iter(waiting))]
    _fill(table, waiting.within_lead, waiting, terms, draw)
    return table


def _is_uneven(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened, share: float = 0.0) -> bool:
    """Whether these bots have met more often than if all met equally often, by more than `SLACK` on average.

    `share` of the even number is allowed in addition.
    """
    excess = 0.0
    for one, other in combinations(table, 2):
        opponents = min(waiting.opponents(bot, terms.owners_apart) for bot in (one, other))
        even = min(one.rooms, other.rooms) * (terms.seats - 1) / opponents
        excess += one.met.get(other.number, 0) - (1 + share) * even
    return excess > SLACK * len(table) * (len(table) - 1) / 2


def _seat_newcomers(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened) -> None:
    """Seats bots without a rated room so far, up to half a table, so that others do not starve."""
    for bot in waiting.newcomers.values():
        if len(table) > terms.seats // 2:
            return
        if _fits(bot, table, terms):
            table.append(bot)


def _seat_overdue(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened) -> None:
    """Seats bots that have waited too long. If one of them must wait for others to catch up, these go first."""
    for bot in waiting.overdue():
        if len(table) == terms.seats or bot.turns >= waiting.floor + LEAD:
            return
        if _fits(bot, table, terms):
            table.append(bot)


def _fill(
    table: list[LadderEntrant],
    pool: Callable[[], Iterator[LadderEntrant]],
    waiting: WaitingList,
    terms: LadderOpened,
    draw: Draw,
) -> None:
    """Fills seats from a pool with those who suit the table best, while there are any."""
    while len(table) < terms.seats:
        candidates = list(islice(_candidates(pool(), table, terms), CHOICE * terms.seats))
        if not candidates:
            return
        table.append(min(candidates, key=lambda bot: (*_strain(bot, table, waiting), draw(bot.bot))))


def _candidates(
    bots: Iterable[LadderEntrant], table: list[LadderEntrant], terms: LadderOpened
) -> Iterator[LadderEntrant]:
    return (bot for bot in bots if _fits(bot, table, terms))


def _fits(bot: LadderEntrant, table: list[LadderEntrant], terms: LadderOpened) -> bool:
    """Whether a bot may join a table: neither it nor another bot of its owner is there."""
    if not terms.owners_apart or bot.joined.staff:
        return bot not in table
    return all(bot.joined.owner != other.joined.owner or other.joined.staff for other in table)


def _strain(bot: LadderEntrant, table: list[LadderEntrant], waiting: WaitingList) -> tuple[int, int]:
    """Returns a bot's number of meetings with the table, then the number of its tied neighbours elsewhere."""
    neighbours = waiting.undecided.get(bot.bot)
    return sum(bot.met.get(other.number, 0) for other in table), -_count(neighbours, table)


def _count(neighbours: frozenset[str] | None, table: list[LadderEntrant]) -> int:
    return sum(other.bot in neighbours for other in table) if neighbours else 0


SEAT_WEIGHT = 1_000
"""The weight of an uneven seat, which is more than that of all uneven neighbours at a usual table of 8."""


def choose_seats(table: list[LadderEntrant]) -> list[LadderEntrant]:
    """Returns the bots by seat. Their given order decides between equally even seatings."""
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


def _greedy(table: list[LadderEntrant]) -> list[LadderEntrant]:
    left = list(table)
    line_up = []
    for seat in range(len(table)):
        line_up.append(min(left, key=lambda bot: bot.at_seat[seat]))
        left.remove(line_up[-1])
    return line_up


def _cost(line_up: list[LadderEntrant]) -> int:
    """Returns the increase of half the sum of all squared counts by these seats, without a constant."""
    seats = sum(bot.at_seat[seat] for seat, bot in enumerate(line_up))
    lefts = sum(bot.at_left[left.number] for bot, left in zip(line_up, [*line_up[1:], line_up[0]], strict=True))
    return SEAT_WEIGHT * seats + lefts
