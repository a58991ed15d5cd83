"""Who plays next: a pure function of the logged state and the epoch's seed, which anyone can compute again.

Fewest turns first: whoever has had fewest, and among those has waited longest, is always seated. Then come newcomers,
bots that have waited too long, and again those with the fewest turns, chosen for even meetings, then to bring together
neighbours on the board who are not told apart, then by the seed.
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
"""For each seat, a table's bots are chosen from so many of those who have waited longest."""

CHOOSABLE = 2
"""If enough bots for this many tables wait, even a table of bots that have met too often is better than none."""

SLACK = 0.5
"""By how much two bots may on average have met more often than is even, if others are about to come back."""

SHARE = 0.1
"""By which share of the even number besides: bots that a long room kept come back to others that have met meanwhile."""

Draw = Callable[[str], bytes]
"""A random value for each bot's name, which orders those who are otherwise alike."""


@dataclass(frozen=True, slots=True)
class RoomChoice:
    """A room that can begin."""

    line_up: tuple[str, ...]
    """The bots by seat."""
    rated: bool
    """False for a probation room."""


def pair(state: LadderState, seed: bytes, clock_class: str) -> RoomChoice | None:
    """Pairs the next room of a clock class; None if no room can begin before something else happens.

    `seed` is the epoch's. Probation rooms come first, but never two in a row if a rated room can begin.
    """
    waiting, terms = state.lists.get(clock_class), opened(state)
    if waiting is None:
        return None
    draw = _draw(derive(seed, f"pairing of room {state.rooms_paired + 1}"))
    if waiting.probation_was_last and (rated := _rated_room(waiting, terms, draw)):
        return rated
    return _probation_room(waiting, terms, draw) or _rated_room(waiting, terms, draw)


def opened(state: LadderState) -> LadderOpened:
    """Returns the terms of a ladder; raises LadderError if its log is empty."""
    if state.terms is None:
        raise LadderError("the ladder is not open: its log must begin with its terms")
    return state.terms


def _draw(seed: bytes) -> Draw:
    return cache(lambda bot: derive(seed, bot))


def _probation_room(waiting: WaitingList, terms: LadderOpened, draw: Draw) -> RoomChoice | None:
    """Pairs the newcomer that has waited longest with staff bots, at a smaller table if they are few."""
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

    By rule 1, an uneven table waits while few wait and others play; by rule 2 only until another room has ended than
    the one that its bots came from, and not if it is uneven by less than `SHARE` since a room took long.
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
    """Chooses the first in turn, newcomers, those who have waited too long, then bots with the fewest turns.

    Those who would get ahead of a bot in a room by more than `LEAD` rooms wait for that room to end, and those who must
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
    """Chooses the first in turn, and whom it has met least of all who would not get too far ahead."""
    table = [next(iter(waiting))]
    _fill(table, waiting.within_lead, waiting, terms, draw)
    return table


def _is_uneven(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened, share: float = 0.0) -> bool:
    """Whether these bots have met more often, by more than `SLACK` on average, than if all met equally often.

    They may by this share of the even number besides.
    """
    excess = 0.0
    for one, other in combinations(table, 2):
        opponents = min(waiting.opponents(bot, terms.owners_apart) for bot in (one, other))
        even = min(one.rooms, other.rooms) * (terms.seats - 1) / opponents
        excess += one.met.get(other.number, 0) - (1 + share) * even
    return excess > SLACK * len(table) * (len(table) - 1) / 2


def _seat_newcomers(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened) -> None:
    """Seats bots that were never in a rated room, up to half a table, so that nobody starves because of them."""
    for bot in waiting.newcomers.values():
        if len(table) > terms.seats // 2:
            return
        if _fits(bot, table, terms):
            table.append(bot)


def _seat_overdue(table: list[LadderEntrant], waiting: WaitingList, terms: LadderOpened) -> None:
    """Seats those who have waited too long; but if one of them must wait for others to catch up, these go first."""
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
    """Whether a bot may join a table: it is not there yet, and no other bot of its owner is."""
    if not terms.owners_apart or bot.joined.staff:
        return bot not in table
    return all(bot.joined.owner != other.joined.owner or other.joined.staff for other in table)


def _strain(bot: LadderEntrant, table: list[LadderEntrant], waiting: WaitingList) -> tuple[int, int]:
    """Returns how often a bot met those at the table, then how many of its undecided neighbours do not sit there."""
    neighbours = waiting.undecided.get(bot.bot)
    return sum(bot.met.get(other.number, 0) for other in table), -_count(neighbours, table)


def _count(neighbours: frozenset[str] | None, table: list[LadderEntrant]) -> int:
    return sum(other.bot in neighbours for other in table) if neighbours else 0


SEAT_WEIGHT = 1_000
"""An uneven seat counts for more than any number of uneven neighbours, at a table of 8 of bots that meet normally."""


def choose_seats(table: list[LadderEntrant]) -> list[LadderEntrant]:
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


def _greedy(table: list[LadderEntrant]) -> list[LadderEntrant]:
    left = list(table)
    line_up = []
    for seat in range(len(table)):
        line_up.append(min(left, key=lambda bot: bot.at_seat[seat]))
        left.remove(line_up[-1])
    return line_up


def _cost(line_up: list[LadderEntrant]) -> int:
    """Returns by how much these seats add to the sum of all squared counts, halved and but for a constant."""
    seats = sum(bot.at_seat[seat] for seat, bot in enumerate(line_up))
    lefts = sum(bot.at_left[left.number] for bot, left in zip(line_up, [*line_up[1:], line_up[0]], strict=True))
    return SEAT_WEIGHT * seats + lefts
