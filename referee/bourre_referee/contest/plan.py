"""A contest laid out before it is played: who meets whom, with which seed, in which room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from bourre.rules.deck import derive
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest
from bourre_referee.duplicate import boards
from bourre_referee.schedule import round_robin
from bourre_referee.spec import Isolation, MatchSpec, RoomSpec

PLAIN = Isolation()
"""Of a room that is planned, and not to be played."""

PLAYINGS = 4
"""How often a room fills its tables: enough to pay for starting its bots, few enough to lose little in a crash."""


def plan(contest: Contest, master: bytes, logs: Path, isolation: Isolation = PLAIN) -> tuple[RoomSpec, ...]:
    """Every room of the contest, in the order of its first match.

    Matches are numbered in schedule order: `m0001`, ... Schedule and seeds follow from the master seed, 32 bytes.
    """
    entries = {entry.name: entry for entry in contest.entries}
    return tuple(
        RoomSpec(
            room=_room(matches[0]),
            entries=tuple(entries[name] for name in contest.names if name in matches[0].line_up),
            matches=matches,
            tables=contest.tables,
            clock=contest.clock,
            max_faults=contest.max_faults,
            logs=logs,
            isolation=isolation,
        )
        for matches in _by_room(contest, master)
    )


def _by_room(contest: Contest, master: bytes) -> list[tuple[MatchSpec, ...]]:
    """What each room plays: matches, or the boards of one match in one seating (format `duplicate`)."""
    matches = matches_of(contest, master)
    if contest.format == "session":
        return grouped(matches, contest.tables)
    return [room for match in matches for room in boards(match, contest.stakes)]


def _room(first: MatchSpec) -> str:
    """A room is called after its first match, with the seating after a dot."""
    return f"{first.match}.{first.board.seating}" if first.board else first.match


def matches_of(contest: Contest, master: bytes) -> tuple[MatchSpec, ...]:
    """Every match of the contest, in schedule order."""
    return matches(contest.names, contest.seats, contest.rounds, contest.house, contest.deals, master)


def matches(
    names: Sequence[str], seats: int, rounds: int | None, house: HouseRules, deals: int, master: bytes
) -> tuple[MatchSpec, ...]:
    """The matches of these bots, in schedule order; ValueError if the numbers cannot be played."""
    schedule = round_robin(len(names), seats, rounds, derive(master, "schedule"))
    return tuple(
        MatchSpec(
            match=match_id(index),
            line_up=tuple(names[bot] for bot in line_up),
            house=house,
            deals=deals,
            seed=derive(master, f"match {index}"),
        )
        for index, line_up in enumerate(schedule.line_ups, start=1)
    )


def grouped(matches: Iterable[MatchSpec], tables: int) -> list[tuple[MatchSpec, ...]]:
    """The matches that share a room: those of the same bots, in any seats, as far as its tables are worth it."""
    by_bots: dict[frozenset[str], list[MatchSpec]] = {}
    for match in matches:
        by_bots.setdefault(frozenset(match.line_up), []).append(match)
    size = 1 if tables == 1 else PLAYINGS * tables
    rooms = [chunk for same in by_bots.values() for chunk in chunks(same, size)]
    return sorted(rooms, key=lambda room: match_number(room[0].match))


def chunks(matches: Iterable[MatchSpec], size: int) -> Iterator[tuple[MatchSpec, ...]]:
    """These matches, `size` at a time."""
    left = iter(matches)
    while chunk := tuple(islice(left, size)):
        yield chunk


def without(rooms: Iterable[RoomSpec], finished: frozenset[str]) -> tuple[RoomSpec, ...]:
    """What is left to play of these rooms once the finished matches are taken out."""
    left = (replace(room, matches=tuple(m for m in room.matches if m.match not in finished)) for room in rooms)
    return tuple(room for room in left if room.matches)


def match_id(number: int) -> str:
    """How the `number`-th match of a schedule (from 1) is called."""
    return f"m{number:04d}"


def match_number(match: str) -> int:
    """Which place in the schedule (from 1) a match of this id has."""
    return int(match[1:])
