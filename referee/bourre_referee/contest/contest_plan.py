"""Plans a contest: the matches, their seeds, and the rooms that play them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from bourre.rules.deck import derive
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.duplicate import boards
from bourre_referee.contest.schedule import LineUp, Schedule, SearchCache, no_cache
from bourre_referee.contest.schedule_section import schedule_of
from bourre_referee.contest.stages import Stage, match_number, stages_of
from bourre_referee.model.spec import Isolation, MatchSpec, RoomSpec

PLAIN = Isolation()
"""The isolation of a room that is planned but not played."""

ROOMS_PER_JOB = 3
"""How many rooms each of several jobs has at least, so that none idles for long while the last rooms are played."""

DEALS_PER_START = 400
"""A part of a room has about this many deals, because its bots start anew, which takes as long as these deals."""

PLAYINGS = 4
"""How often a room fills its tables. More would lose more in a crash; fewer would start bots more often."""


def plan(
    contest: Contest,
    master: bytes,
    isolation: Isolation = PLAIN,
    schedules: Sequence[tuple[Stage, Schedule]] = (),
) -> tuple[RoomSpec, ...]:
    """Returns every room of the contest, ordered by first match.

    Matches are numbered in schedule order: `m0001`, ... Their seeds follow from the master seed of 32 bytes. Earlier
    stages contribute the matches that these bots can play. Without `schedules`, the plan has only the current stage.
    """
    bots = {entrant.name: entrant.spec() for entrant in contest.entrants}
    return tuple(
        RoomSpec(
            room=_room(matches[0]),
            entries=tuple(bots[name] for name in contest.names if name in matches[0].line_up),
            matches=matches,
            tables=contest.tables,
            clock=contest.clock,
            max_faults=contest.max_faults,
            isolation=isolation,
            restarts=not contest.fresh,
        )
        for stage, schedule in schedules or _only_stage(contest, master)
        for matches in _by_room(contest, playable_matches(contest, stage, schedule.line_ups, master))
    )


def matches_of(contest: Contest, master: bytes) -> tuple[MatchSpec, ...]:
    """Returns every match of a contest whose bots never changed, in schedule order."""
    ((stage, schedule),) = _only_stage(contest, master)
    return tuple(playable_matches(contest, stage, schedule.line_ups, master))


def _only_stage(contest: Contest, master: bytes) -> tuple[tuple[Stage, Schedule], ...]:
    """Returns the stage and the schedule of a contest whose bots never changed."""
    return scheduled(stages_of((), contest.names, [contest.schedule], contest.seats), contest.seats, master)


def scheduled(
    stages: Iterable[Stage], seats: int, master: bytes, cache: SearchCache = no_cache
) -> tuple[tuple[Stage, Schedule], ...]:
    """Returns each stage with its whole schedule, including matches that will not be played."""
    return tuple(
        (stage, schedule_of(stage.pairing, stage.bots, seats, derive(master, stage.label("schedule")), cache))
        for stage in stages
    )


def playable_matches(contest: Contest, stage: Stage, line_ups: Iterable[LineUp], master: bytes) -> Iterator[MatchSpec]:
    """Yields the matches of a stage that are not missing and whose bots are all entered."""
    entered = frozenset(contest.names)
    for match in stage.matches(line_ups, contest.house, contest.deals, master):
        if match_number(match.match) not in stage.missing and entered.issuperset(match.line_up):
            yield match


def _by_room(contest: Contest, matches: Iterable[MatchSpec]) -> list[tuple[MatchSpec, ...]]:
    """Splits matches by room. In a duplicate, a room plays all boards of one match in one seating."""
    if contest.format == "session":
        return group_by_bots(matches, contest.tables, contest.fresh)
    return [room for match in matches for room in boards(match, contest.stakes)]


def _room(first: MatchSpec) -> str:
    """Names a room after its first match, with the seating after a dot."""
    return f"{first.match}.{first.board.seating}" if first.board else first.match


def group_by_bots(matches: Iterable[MatchSpec], tables: int, fresh: bool) -> list[tuple[MatchSpec, ...]]:
    """Groups matches of the same bots, in any seats, into rooms of at most PLAYINGS * `tables` matches.

    With `fresh` and a single table, each match has its own room.
    """
    by_bots: dict[frozenset[str], list[MatchSpec]] = {}
    for match in matches:
        by_bots.setdefault(frozenset(match.line_up), []).append(match)
    size = 1 if fresh and tables == 1 else PLAYINGS * tables
    rooms = [chunk for same in by_bots.values() for chunk in chunks(same, size)]
    return sorted(rooms, key=lambda room: match_number(room[0].match))


def chunks(matches: Iterable[MatchSpec], size: int) -> Iterator[tuple[MatchSpec, ...]]:
    """Yields these matches, `size` at a time."""
    left = iter(matches)
    while chunk := tuple(islice(left, size)):
        yield chunk


def fill_jobs(rooms: Sequence[RoomSpec], jobs: int) -> tuple[RoomSpec, ...]:
    """Splits rooms so that each of several jobs has at least ROOMS_PER_JOB, if there are enough deals to play.

    Where a match is played changes neither its cards nor its record. The boards of a duplicate and the rooms of remote
    bots, which play wherever their processes run, stay together.
    """
    least = ROOMS_PER_JOB * jobs
    if jobs < 2 or len(rooms) >= least:
        return tuple(rooms)
    deals = sum(match.deals for room in rooms for match in room.matches)
    return tuple(part for room in rooms for part in _parts(room, max(deals // least, DEALS_PER_START)))


def _parts(room: RoomSpec, deals: int) -> Iterator[RoomSpec]:
    if room.matches[0].board or any(bot.command is None for bot in room.entries):
        yield room
        return
    for matches in chunks(room.matches, max(1, deals // room.matches[0].deals)):
        yield replace(room, room=_room(matches[0]), matches=matches)


def remaining_rooms(rooms: Iterable[RoomSpec], finished: frozenset[str]) -> Iterator[RoomSpec]:
    """Yields the rooms that have unfinished matches, with those matches only."""
    for room in rooms:
        if left := tuple(match for match in room.matches if match.match not in finished):
            yield room.rest(left)
