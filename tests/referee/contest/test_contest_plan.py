"""Plans: matches, seeds and rooms, before anything is played."""

from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from bourre.rules.deck import derive, master_seed
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.contest_plan import PLAYINGS, ROOMS_PER_JOB, fill_jobs, plan, remaining_rooms
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.model.spec import MatchSpec, RoomSpec
from tests.referee.contests import small_contest

MASTER = master_seed(7)


def matches_in(rooms: tuple[RoomSpec, ...]) -> list[MatchSpec]:
    """All matches of these rooms, in schedule order."""
    return sorted((match for room in rooms for match in room.matches), key=lambda match: match_number(match.match))


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return small_contest(tmp_path)


def full_tables(contest: Contest, tables: int, rounds: int) -> Contest:
    """The same bots, all of them at every table."""
    return replace(contest, seats=5, tables=tables, schedule=ScheduleChoice(rounds=rounds))


def test_every_match_has_its_number_seed_and_rules(contest: Contest) -> None:
    matches = matches_in(plan(contest, MASTER))
    assert [match.match for match in matches] == [f"m{number:04d}" for number in range(1, 11)]
    assert [match.seed for match in matches] == [derive(MASTER, f"match {number}") for number in range(1, 11)]
    assert {(match.deals, match.house) for match in matches} == {(contest.deals, contest.house)}


def test_every_bot_sits_equally_often_in_every_seat(contest: Contest) -> None:
    line_ups = [match.line_up for match in matches_in(plan(contest, MASTER))]
    for seat in range(3):
        assert sorted(line_up[seat] for line_up in line_ups) == sorted(2 * contest.names)


def test_a_room_has_the_bots_of_its_matches_and_the_terms(contest: Contest) -> None:
    contest = replace(contest, max_faults=3)
    for room in plan(contest, MASTER):
        assert room.room == room.matches[0].match
        assert [entry.name for entry in room.entries] == sorted(room.matches[0].line_up)
        assert set(room.entries) <= {entrant.spec() for entrant in contest.entrants}
        assert (room.tables, room.clock, room.max_faults) == (1, contest.clock, 3)


def test_one_table_means_one_match_a_room(contest: Contest) -> None:
    assert [len(room.matches) for room in plan(full_tables(contest, 1, 4), MASTER)] == [1] * 20


def test_many_tables_share_a_room_among_the_same_bots(contest: Contest) -> None:
    rooms = plan(full_tables(contest, 2, 4), MASTER)
    assert [len(room.matches) for room in rooms] == [2 * PLAYINGS, 2 * PLAYINGS, 4]
    assert len({line_up for room in rooms for line_up in (match.line_up for match in room.matches)}) > 1


def test_other_bots_are_in_another_room(contest: Contest) -> None:
    rooms = plan(replace(contest, tables=16, schedule=ScheduleChoice()), MASTER)
    assert all(len({frozenset(match.line_up) for match in room.matches}) == 1 for room in rooms)
    assert max(len(room.matches) for room in rooms) > 1
    by_bots = groupby(sorted(sorted(room.matches[0].line_up) for room in rooms))
    assert all(len(list(same)) == 1 for _, same in by_bots)
    firsts = [match_number(room.room) for room in rooms]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("tables", [2, 5, 64])
def test_tables_decide_nothing_but_who_shares_a_room(contest: Contest, tables: int) -> None:
    one, many = (plan(full_tables(contest, count, 4), MASTER) for count in (1, tables))
    assert matches_in(one) == matches_in(many)


def test_a_seed_gives_the_same_plan_and_another_seed_another(contest: Contest) -> None:
    assert plan(contest, MASTER) == plan(contest, MASTER)
    assert matches_in(plan(contest, MASTER)) != matches_in(plan(contest, master_seed(8)))


def test_what_is_finished_is_taken_out_and_rooms_keep_their_names(contest: Contest) -> None:
    rooms = plan(full_tables(contest, 2, 2), MASTER)
    assert [len(room.matches) for room in rooms] == [8, 2]
    left = remaining_rooms(rooms, frozenset({"m0001", "m0004", "m0009", "m0010"}))
    assert [(room.room, [match.match for match in room.matches]) for room in left] == [
        ("m0001", ["m0002", "m0003", "m0005", "m0006", "m0007", "m0008"])
    ]
    assert tuple(remaining_rooms(rooms, frozenset())) == rooms


def test_without_fresh_processes_one_table_plays_several_matches_of_the_same_bots(contest: Contest) -> None:
    fresh, kept = (plan(replace(full_tables(contest, 1, 4), fresh=fresh), MASTER) for fresh in (True, False))
    assert [len(room.matches) for room in kept] == [PLAYINGS] * 5
    assert {room.restarts for room in fresh} == {False}
    assert {room.restarts for room in kept} == {True}
    assert matches_in(kept) == matches_in(fresh)


def test_what_is_left_of_a_room_that_restarts_has_logs_of_its_own(contest: Contest) -> None:
    rooms = plan(replace(full_tables(contest, 1, 4), fresh=False), MASTER)
    first, *others = remaining_rooms(rooms, frozenset({"m0001", "m0002"}))
    assert (first.room, [match.match for match in first.matches]) == ("m0003", ["m0003", "m0004"])
    assert tuple(others) == rooms[1:]


@pytest.mark.parametrize("jobs", [2, 3, 16])
def test_a_large_room_is_split_so_that_each_job_has_some(contest: Contest, jobs: int) -> None:
    rooms = plan(replace(full_tables(contest, 64, 40), deals=200), MASTER)
    assert len(rooms) == 1
    parts = fill_jobs(rooms, jobs)
    assert ROOMS_PER_JOB * jobs <= len(parts) <= ROOMS_PER_JOB * jobs + 4
    assert matches_in(parts) == matches_in(rooms)
    assert [part.room for part in parts] == [part.matches[0].match for part in parts]
    assert {part.entries for part in parts} == {rooms[0].entries}


def test_rooms_stay_whole_for_one_job_and_where_there_are_enough(contest: Contest) -> None:
    rooms = plan(full_tables(contest, 2, 40), MASTER)
    assert [fill_jobs(rooms, jobs) for jobs in (0, 1, len(rooms) // ROOMS_PER_JOB)] == [rooms] * 3
    few_deals = plan(full_tables(contest, 64, 40), MASTER)
    assert len(fill_jobs(few_deals, 16)) == 2, "starting bots would take longer than playing"


def test_remote_bots_and_boards_stay_together(contest: Contest) -> None:
    rooms = plan(replace(full_tables(contest, 64, 40), deals=200), MASTER)
    away = replace(rooms[0], entries=(replace(rooms[0].entries[0], command=None), *rooms[0].entries[1:]))
    assert fill_jobs([away], 16) == (away,)
    boards = plan(replace(full_tables(contest, 2, 1), format="duplicate"), MASTER)
    assert fill_jobs(boards, 999) == boards


def test_ids_grow_with_the_contest() -> None:
    assert [match_id(number) for number in (1, 9999, 10000)] == ["m0001", "m9999", "m10000"]
    assert match_number("m10000") == 10000


def test_a_bot_that_connects_has_no_command(contest: Contest) -> None:
    entered = (*contest.entrants, Entrant("far", None, ()))
    entries = {entry for room in plan(replace(contest, entrants=entered), MASTER) for entry in room.entries}
    assert {entry.name for entry in entries if entry.command is None} == {"far"}
