"""The luck by `bot styles 2` is the same whatever match ends first, is interrupted or is annulled."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre.record.played_record import play_text
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.recount import recount
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.worker import PlayRoom
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.referee import contests
from tests.referee.scripted_rooms import ScriptedRooms
from tests.referee.server.test_remark_log import play

FILE = contests.FILE.replace("deals = 4", 'deals = 3\nformat = "duplicate"').replace("rounds = 2", "rounds = 1")


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """Five matches of five bots, in three rooms each."""
    return contests.small_contest(tmp_path_factory.mktemp("contest"), FILE)


@pytest.fixture(scope="module")
def results(contest: Contest, tmp_path_factory: pytest.TempPathFactory) -> list[MatchResult]:
    """The results if the matches end in the order of the schedule."""
    return played(contest, tmp_path_factory.mktemp("in_order") / "run").results()


async def play_room(spec: RoomSpec) -> list[MatchOutcome]:
    return [play(match, False, 0, dice) for dice, match in enumerate(spec.matches)]


async def stop_before_the_first(spec: RoomSpec) -> list[MatchOutcome]:
    if spec.matches[0].match == "m0001":
        raise KeyboardInterrupt
    return await play_room(spec)


def played(contest: Contest, folder: Path, play_room: PlayRoom = play_room, last_first: bool = False) -> Run:
    return run(contest, folder, executor=ScriptedRooms(play_room, last_first=last_first).make)


def is_verified(folder: Path) -> bool:
    return verify(source_of(folder), jobs=1).finished > 0


def test_earlier_matches_teach(contest: Contest, results: list[MatchResult], tmp_path: Path) -> None:
    finished = played(contest, tmp_path / "run")
    alone = [recount(play_text(finished.record(match)), "bot styles 1").result for match in finished.matches()]
    assert [one == other for one, other in zip(alone, results, strict=True)] == [True, *[False] * 4]
    assert is_verified(tmp_path / "run")


def test_the_order_in_which_matches_end_changes_nothing(
    contest: Contest, results: list[MatchResult], tmp_path: Path
) -> None:
    assert played(contest, tmp_path / "run", last_first=True).results() == results


def test_luck_that_must_wait_is_unknown_until_the_run_goes_on(
    contest: Contest, results: list[MatchResult], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(Interrupted):
        played(contest, folder, stop_before_the_first, last_first=True)
    stored = Run.open(folder).results()
    assert [result.match for result in stored] == ["m0002", "m0003", "m0004", "m0005"]
    assert {block.luck for result in stored for block in result.blocks} == {()}
    assert is_verified(folder)
    assert played(contest, folder).results() == results
    assert is_verified(folder)


def test_a_match_that_is_annulled_changes_no_other_luck(
    contest: Contest, results: list[MatchResult], tmp_path: Path
) -> None:
    """It still teaches what it taught, so that nothing that was published changes."""

    async def play_wildly(spec: RoomSpec) -> list[MatchOutcome]:
        return [play(match, False, 0, 100 + dice) for dice, match in enumerate(spec.matches)]

    folder = tmp_path / "run"
    played(contest, folder)
    void(folder, "m0001", "the wrong file", datetime(2026, 11, 27, tzinfo=UTC))
    assert Run.open(folder).results() == results[1:]
    assert is_verified(folder)
    again = played(contest, folder, play_wildly).results()
    assert again[1:] == results[1:]
    assert again[0] != results[0]
    assert is_verified(folder)
