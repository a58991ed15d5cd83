"""Worker processes: results that do not depend on them, and no worker that outlives its parent."""

import os
import select
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import plan
from bourre_referee.contest.pairing import Pairing
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.executor import play_all
from bourre_referee.runner.local_executor import LocalExecutor
from bourre_referee.runner.room_reports import Report, RoomLost, RoomPlayed
from bourre_referee.storage.process_pool import usable_cores
from tests.end_to_end.processes import no_child_left
from tests.referee import contest_program, contests
from tests.referee import rooms as fakes
from tests.referee.local_play import play

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(autouse=True)
def no_worker_left() -> Iterator[None]:
    with no_child_left():
        yield


def played_in(reports: Sequence[Report]) -> dict[str, RoomPlayed]:
    return {report.room.room: report for report in reports if isinstance(report, RoomPlayed)}


def next_reports(executor: LocalExecutor) -> list[Report]:
    """The next reports, however long they take."""
    while not (reports := executor.reports()):
        pass
    return reports


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_room_is_played_once_whatever_the_number_of_workers(rooms: tuple[RoomSpec, ...], jobs: int) -> None:
    reports = list(play(rooms, jobs, fakes.play_room))
    assert sorted(played_in(reports)) == [room.room for room in rooms]
    for room in rooms:
        assert played_in(reports)[room.room] == RoomPlayed(room, 1, tuple(map(fakes.played, room.matches)))


def test_what_a_room_leaves_unplayed_is_played_next_in_a_room_of_its_own(tmp_path: Path) -> None:
    contest = replace(contests.small_contest(tmp_path), seats=5, fresh=False, schedule=Pairing(rounds=1))
    rooms = plan(contest, master_seed(7))
    assert [len(room.matches) for room in rooms] == [4, 1]
    reports = list(play(rooms, 1, fakes.play_one_and_restart))
    assert list(played_in(reports)) == ["m0001", "m0002", "m0003", "m0004", "m0005"]
    for name, report in played_in(reports).items():
        assert [match.match for match in report.room.matches] == [name]
        assert report == RoomPlayed(report.room, 1, tuple(map(fakes.played, report.room.matches)))


def test_rooms_are_told_in_finishing_order(rooms: tuple[RoomSpec, ...], pipe: Path) -> None:
    reports = play(rooms[:3], 2, partial(fakes.play_when_told, pipe, "m0001"))
    before = [next(reports), next(reports)]
    pipe.write_text("go on")
    assert list(played_in([*before, *reports])) == ["m0002", "m0003", "m0001"]


def test_the_rooms_in_play_are_told_again_and_again(rooms: tuple[RoomSpec, ...], pipe: Path) -> None:
    told: list[tuple[str, ...]] = []
    with LocalExecutor(2, partial(fakes.play_when_told, pipe, "m0001")) as executor:
        reports = play_all(rooms[:3], executor, lambda now: told.append(tuple(room.room for room in now)))
        next(reports)
        next(reports)
        pipe.write_text("go on")
        list(reports)
    assert told[0] in {("m0001", "m0002"), ("m0001", "m0003")}
    assert told[-1] == ()


def test_a_worker_plays_no_more_than_one_room_ahead_of_what_is_kept(rooms: tuple[RoomSpec, ...], pipe: Path) -> None:
    played = os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0)
    with played, closing(play(rooms, 1, partial(fakes.play_and_tell, pipe))) as reports:
        next(reports)  # and no more reports are requested meanwhile
        assert [played.readline(), played.readline()] == [b"m0001\n", b"m0002\n"]
        assert select.select([played], [], [], 0)[0] == []
        next(reports)
        assert played.readline() == b"m0003\n"


def test_a_room_may_be_submitted_while_another_is_in_play(rooms: tuple[RoomSpec, ...], pipe: Path) -> None:
    with LocalExecutor(2, partial(fakes.play_when_told, pipe, "m0001")) as executor:
        assert (executor.busy, executor.free) == (False, 2)
        executor.submit(rooms[0])
        assert (executor.busy, executor.free) == (True, 1)
        assert executor.reports(0) == []  # it has begun, and nothing is waited for
        executor.submit(rooms[1])
        assert executor.free == 0
        assert list(played_in(next_reports(executor))) == ["m0002"]
        assert (executor.busy, executor.free) == (True, 1)
        pipe.write_text("go on")
        assert list(played_in(next_reports(executor))) == ["m0001"]
        assert (executor.busy, executor.free) == (False, 2)


def test_a_room_that_is_given_up_does_not_keep_others_from_being_played(rooms: tuple[RoomSpec, ...]) -> None:
    with LocalExecutor(1, fakes.play_and_fail) as executor:
        executor.submit(rooms[0])
        lost = [report for _ in range(3) for report in next_reports(executor)]
        assert lost == [RoomLost(rooms[0], attempt, "no sandbox for m0001") for attempt in (1, 2, 3)]
        assert [report.is_last for report in lost if isinstance(report, RoomLost)] == [False, False, True]
        assert not executor.busy
        executor.submit(rooms[1])
        assert next_reports(executor) == [RoomLost(rooms[1], 1, "no sandbox for m0002")]


def test_nothing_to_play_starts_nothing() -> None:
    assert list(play((), 2, fakes.play_room)) == []


def test_no_jobs_are_refused(rooms: tuple[RoomSpec, ...]) -> None:
    with pytest.raises(ValueError, match="0 jobs play nothing"):
        next(play(rooms, 0, fakes.play_room))


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1


@pytest.mark.parametrize(("by", "name"), [(signal.SIGKILL, "SIGKILL"), (37, "signal 37")])  # 37: a real-time signal
def test_a_room_whose_worker_is_killed_is_played_again(
    rooms: tuple[RoomSpec, ...], tmp_path: Path, by: int, name: str
) -> None:
    reports = list(play(rooms[:4], 2, partial(fakes.play_or_die, tmp_path, "m0002", by=by)))
    assert [report for report in reports if isinstance(report, RoomLost)] == [
        RoomLost(rooms[1], 1, f"the worker process was killed by {name}")
    ]
    assert {room: report.attempt for room, report in played_in(reports).items()} == {
        "m0001": 1, "m0002": 2, "m0003": 1, "m0004": 1,
    }  # fmt: skip


def test_a_room_that_fails_three_times_ends_the_contest(rooms: tuple[RoomSpec, ...]) -> None:
    with pytest.raises(ContestFailed) as caught:
        list(play(rooms[:1], 1, fakes.play_and_fail))
    assert str(caught.value) == (
        "room m0001 failed 3 times, which is no bot's fault: no sandbox for m0001\n"
        "Finished matches are stored; fix the host and run again to go on."
    )


def test_each_failed_attempt_is_told(rooms: tuple[RoomSpec, ...]) -> None:
    reports = play(rooms[:1], 1, fakes.play_and_fail)
    assert [next(reports) for _ in range(3)] == [
        RoomLost(rooms[0], tries, "no sandbox for m0001") for tries in (1, 2, 3)
    ]
    with pytest.raises(ContestFailed):
        next(reports)


def test_a_mistake_of_the_referee_is_told_with_its_place(rooms: tuple[RoomSpec, ...]) -> None:
    with closing(play(rooms[:1], 1, fakes.play_and_break)) as reports:
        lost = next(reports)
    assert isinstance(lost, RoomLost)
    assert lost.reason.startswith("Traceback")
    assert "KeyError: 'a mistake of ours'" in lost.reason
    assert "play_and_break" in lost.reason


def test_what_a_room_starts_does_not_hold_the_pipe(rooms: tuple[RoomSpec, ...]) -> None:
    assert isinstance(next(play(rooms[:1], 1, fakes.play_with_a_child)), RoomPlayed)


def test_what_a_worker_prints_is_talk_not_data(rooms: tuple[RoomSpec, ...], capfd: pytest.CaptureFixture[str]) -> None:
    list(play(rooms[:1], 1, fakes.play_aloud))
    assert capfd.readouterr() == ("", "a word from the worker\n")


def test_closing_early_cancels_the_rooms_in_progress(rooms: tuple[RoomSpec, ...], pipe: Path) -> None:
    reports = play(rooms[:2], 2, partial(fakes.play_or_wait, pipe, "m0002"))
    assert isinstance(next(reports), RoomPlayed)
    with pipe.open() as heard:
        heard.readline()
        reports.close()
        assert heard.read() == "cancelled\n"


@pytest.fixture
def parent(rooms: tuple[RoomSpec, ...], tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A program with one worker, which never finishes the fifth room."""
    with contest_program.start("rooms", tmp_path) as parent:
        yield parent
        parent.kill()


def test_a_killed_parent_takes_its_workers_along(parent: subprocess.Popen[str], pipe: Path) -> None:
    with pipe.open() as heard:
        assert heard.readline().strip().isdigit()
        parent.kill()
        # This file ends when the worker does.
        assert heard.read() == "cancelled\n"


def test_ctrl_c_is_the_parents_to_decide_about(parent: subprocess.Popen[str], pipe: Path) -> None:
    assert parent.stdout
    with pipe.open() as heard:
        heard.readline()
        reported = [parent.stdout.readline() for _ in range(4)]  # the worker plays one room ahead of the reader
        os.killpg(parent.pid, signal.SIGINT)
        assert heard.read() == "cancelled\n"
    assert reported == ["m0001\n", "m0002\n", "m0003\n", "m0004\n"]
    assert parent.communicate()[0] == "KeyboardInterrupt: \n"
    assert parent.returncode == 0


def test_a_worker_that_is_terminated_ends_its_room_first(parent: subprocess.Popen[str], pipe: Path) -> None:
    with pipe.open() as heard:
        worker = int(heard.readline())
        os.kill(worker, signal.SIGTERM)
        assert heard.read() == "cancelled\n"
    with pipe.open() as heard:
        assert int(heard.readline()) != worker
        parent.kill()
        assert heard.read() == "cancelled\n"
