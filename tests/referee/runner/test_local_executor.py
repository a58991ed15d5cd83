"""Worker processes: results that do not depend on them, and no worker that outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import plan
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner import local_executor
from bourre_referee.runner.executor import Workplace, play_all
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.local_executor import LocalExecutor, local_rooms
from bourre_referee.runner.remote_rooms import RemoteRooms
from bourre_referee.runner.remote_worker import BotChanged, RemoteRoomAnswer
from bourre_referee.runner.room_reports import RemotePresence, Report, RoomLost, RoomPlayed, WorkerLoad, WorkerNews
from bourre_referee.runner.worker import Alive, Failed, Played
from bourre_referee.storage.files.process_pool import usable_cores
from tests.end_to_end.processes import no_child_left
from tests.referee import contests
from tests.referee import rooms as fakes
from tests.referee.local_play import play
from tests.referee.remote_desk import LADDER, SITE, RemoteDesk
from tests.referee.rooms import Rooms
from tests.referee.scripted_workers import DEATH, ScriptedWorker

PLACE = Workplace(SITE)

KILLED = "the worker process was killed by SIGKILL"


@pytest.fixture(autouse=True)
def no_worker_left() -> Iterator[None]:
    with no_child_left():
        yield


def played_in(reports: Sequence[Report]) -> dict[str, RoomPlayed]:
    return {report.room.room: report for report in reports if isinstance(report, RoomPlayed)}


class Hired:
    """The workers of an executor, which do what the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.workers: list[ScriptedWorker] = []
        self.work: list[Callable[[Connection[Any, Any]], None]] = []
        self.environments: list[Mapping[str, str]] = []
        self.refusal: OSError | None = None
        self.replies: Callable[[object], object] | None = None
        monkeypatch.setattr(local_executor, "Worker", self._hire)

    def _hire(self, work: Callable[[Connection[Any, Any]], None], environment: Mapping[str, str]) -> ScriptedWorker:
        if self.refusal:
            raise self.refusal
        self.work.append(work)
        self.environments.append(environment)
        self.workers.append(ScriptedWorker(self.replies))
        return self.workers[-1]

    def given(self) -> list[list[str]]:
        """The rooms that each worker got, in order."""
        return [[room.room for room in worker.given if isinstance(room, RoomSpec)] for worker in self.workers]


@pytest.fixture
def hired(monkeypatch: pytest.MonkeyPatch) -> Hired:
    return Hired(monkeypatch)


def answer(room: RoomSpec) -> Played:
    return Played(tuple(map(fakes.played, room.matches)))


def done(room: RoomSpec, attempt: int = 1) -> RoomPlayed:
    return RoomPlayed(room, attempt, answer(room).outcomes)


def test_what_is_lost_is_played_before_what_waits_by_a_worker_that_is_trusted(rooms: Rooms, hired: Hired) -> None:
    first, second, third, fourth, *_ = rooms
    with LocalExecutor(2, PLACE, fakes.play_room) as executor:
        assert (executor.busy, executor.free, executor.in_play) == (False, 2, ())
        for left, room in enumerate((first, second, third, fourth), start=1):
            executor.submit(room)
            assert (executor.busy, executor.free) == (True, max(0, 2 - left))
        assert executor.reports(0) == []
        assert hired.given() == [["m0001"], ["m0002"]]
        assert executor.in_play == (first, second)
        hired.workers[0].says(DEATH)
        assert executor.reports() == [RoomLost(first, 1, KILLED)]
        assert executor.in_play == (second,)  # type: ignore[comparison-overlap]
        assert len(hired.workers) == 2, "nobody is hired before this is stored"
        hired.workers[1].hung = True
        hung = "the worker process hung: it gave no sign of life for 60 s"
        assert executor.reports(0) == [RoomLost(second, 1, hung)]
        assert [worker.ended for worker in hired.workers[:2]] == [
            ["released", "stopped"],
            ["released", "killed", "stopped"],
        ]
        assert executor.reports(0) == []
        assert hired.given()[2:] == [["m0001"], ["m0002"]]
        hired.workers[2].says(answer(first))
        assert executor.reports() == [done(first, 2)]
        assert hired.given()[2] == ["m0001", "m0003"], "it is kept busy while this is stored"
        hired.workers[2].says(Alive())
        hired.workers[3].says(Failed("no sandbox"))
        assert executor.reports() == [RoomLost(second, 2, "no sandbox")]
        assert hired.workers[3].ended == ["released", "stopped"]
        assert executor.reports(0) == []
        hired.workers[4].says(Failed("no sandbox"))
        last = RoomLost(second, 3, "no sandbox")
        assert (executor.reports(), last.is_last) == ([last], True)
        assert executor.reports(0) == []
        assert hired.given()[4:] == [["m0002"], ["m0004"]], "a room that is given up keeps no other from being played"
        hired.workers[2].says(answer(third))
        hired.workers[5].says(answer(fourth))
        assert executor.reports() == [done(third), done(fourth)]
        assert (executor.busy, executor.free) == (False, 2)
        hired.workers[5].says(DEATH)
        assert executor.reports() == [WorkerNews(f"{KILLED}: the next room gets another one")]
        assert hired.workers[2].ended == []
    assert hired.workers[2].ended == ["released", "stopped"]


def test_workers_get_what_their_workplace_says(rooms: Rooms, hired: Hired, tmp_path: Path) -> None:
    site = Site(tmp_path / "bots", tmp_path / "logs")
    place = Workplace(site, environment={"TMPDIR": "short"}, brief=lambda room: replace(room, absent=("eve",)))
    with local_rooms(1)(place) as executor:
        executor.submit(rooms[0])
        executor.submit(rooms[1])
        executor.reports(0)
        assert len(hired.workers) == 1
        hired.workers[0].says(answer(rooms[0]))
        assert executor.reports() == [done(rooms[0])]
        assert executor.summary == ()
    assert hired.workers[0].given == [replace(room, absent=("eve",)) for room in rooms[:2]]
    assert hired.environments == [{"TMPDIR": "short"}]
    (work,) = hired.work
    assert isinstance(work, partial)
    assert work.keywords["play_room"].keywords == {"site": site}


def test_a_stop_is_heeded_at_once_or_after_its_grace(hired: Hired, rooms: Rooms, tmp_path: Path) -> None:
    with Stop() as stop, local_rooms(1)(Workplace(Site(tmp_path, tmp_path), stop)) as executor:
        list(map(executor.submit, rooms[:2]))
        executor.reports(0)
        stop.call_off()
        with pytest.raises(KeyboardInterrupt):
            executor.reports()
        stop.asked = stop.finishing = True
        hired.workers[0].says(answer(rooms[0]))
        assert (executor.reports(), executor.free, executor.in_play) == ([done(rooms[0])], 0, ())
        with pytest.raises(KeyboardInterrupt):
            executor.reports()
        stop.asked = False


def test_a_room_at_the_listener_that_waits_leaves_its_job_to_the_workers_and_takes_one_when_its_bot_is_here(
    rooms: Rooms, hired: Hired, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, (first, *others) = RemoteDesk(monkeypatch), rooms[0].entries
    mixed = replace(rooms[0], entries=(replace(first, command=None), *others))
    spec = replace(LADDER, bots=(first.name,), most_bots=None, versioned=False)
    with LocalExecutor(1, Workplace(SITE, remote=RemoteRooms(desk.opened(spec), SITE)), fakes.play_room) as executor:
        executor.submit(mixed)
        assert (executor.busy, executor.free, executor.in_play) == (True, 0, ())
        executor.submit(rooms[1])
        executor.submit(rooms[2])
        executor.reports(0)
        desk.says(BotChanged(first.name, True))
        assert executor.reports() == [RemotePresence((first.name,), frozenset({first.name}), f"{first.name} connected")]
        executor.reports(0)
        assert (desk.calls(), hired.given()) == ([], [["m0002"]]), "others wanted the job, and one has it"
        assert executor.load == (WorkerLoad("this machine", 1, 1, 1), WorkerLoad("listener", 0, 0, 1))
        hired.workers[0].says(answer(rooms[1]))
        assert executor.reports() == [done(rooms[1])]
        assert ([call.room for call in desk.calls()], hired.given()) == ([SITE.place(mixed)], [["m0002"]])
        assert (executor.free, executor.in_play) == (0, (mixed,))
        assert executor.load == (WorkerLoad("this machine", 1, 0, 1), WorkerLoad("listener", 0, 1, 0))
        desk.says(RemoteRoomAnswer(1, answer(mixed)))
        assert executor.reports() == [done(mixed)]
        assert hired.given() == [["m0002", "m0003"]]


def test_it_waits_a_beat_or_less(hired: Hired, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(local_executor, "wait", lambda pipes, seconds: waited.append(seconds) or [])  # type: ignore[func-returns-value]
    with LocalExecutor(1, PLACE, fakes.play_room) as executor:
        for timeout in (None, 0.5, 60):
            executor.reports(timeout)
    assert waited == [10.0, 0.5, 10.0]


def test_a_host_without_room_for_another_process_is_told(rooms: Rooms, hired: Hired) -> None:
    hired.refusal = OSError(11, "Resource temporarily unavailable")
    with LocalExecutor(1, PLACE, fakes.play_room) as executor:
        executor.submit(rooms[0])
        with pytest.raises(ContestFailed) as caught:
            executor.reports(0)
    assert str(caught.value) == (
        "Cannot start a worker process: Resource temporarily unavailable.\nhint: use fewer --jobs, or end other "
        "programs\nFinished matches are stored; run again to go on."
    )


def test_a_room_that_fails_three_times_ends_the_contest_and_each_time_is_told(rooms: Rooms, hired: Hired) -> None:
    hired.replies = lambda room: Failed("no sandbox")
    with LocalExecutor(1, PLACE, fakes.play_room) as executor:
        reports = play_all(rooms[:2], executor, lambda now: None)
        for attempt in (1, 2, 3):
            assert next(reports) == RoomLost(rooms[0], attempt, "no sandbox")
        with pytest.raises(ContestFailed) as caught:
            next(reports)
    assert str(caught.value) == (
        "room m0001 failed 3 times, which is not a bot's fault: no sandbox\n"
        "Finished matches are stored; run again to go on."
    )


def test_the_rooms_in_play_are_told_again_and_again(rooms: Rooms, hired: Hired) -> None:
    hired.replies = lambda room: answer(room) if isinstance(room, RoomSpec) else None
    told: list[tuple[RoomSpec, ...]] = []
    with LocalExecutor(2, PLACE, fakes.play_room) as executor:
        assert list(play_all(rooms[:3], executor, told.append)) == [done(room) for room in rooms[:3]]
    assert told == [(rooms[2],), ()]


def test_what_a_room_leaves_unplayed_is_played_next_in_a_room_of_its_own(tmp_path: Path, hired: Hired) -> None:
    contest = replace(contests.small_contest(tmp_path), seats=5, fresh=False, schedule=ScheduleChoice(rounds=1))
    rooms = plan(contest, master_seed(7))
    assert [len(room.matches) for room in rooms] == [4, 1]
    first = [Failed("no sandbox")]
    hired.replies = lambda room: first.pop() if first else Played(answer(room).outcomes[:1])  # type: ignore[arg-type]
    with LocalExecutor(1, PLACE, fakes.play_room) as executor:
        lost, *reports = list(play_all(rooms, executor, lambda now: None))
    assert lost == RoomLost(rooms[0], 1, "no sandbox")
    assert list(played_in(reports)) == ["m0001", "m0002", "m0003", "m0004", "m0005"]
    for name, report in played_in(reports).items():
        assert [match.match for match in report.room.matches] == [name]
        assert report == done(report.room, 2 if name == "m0001" else 1)


def test_no_jobs_are_refused_and_nothing_to_play_starts_nothing(rooms: Rooms) -> None:
    with pytest.raises(ValueError, match="--jobs 0: must be 1 or more"):
        next(play(rooms, 0, fakes.play_room))
    assert list(play((), 2, fakes.play_room)) == []
    assert usable_cores() >= 1


def test_a_room_whose_worker_is_killed_is_played_again(rooms: Rooms, tmp_path: Path) -> None:
    reports = list(play(rooms[:4], 2, partial(fakes.play_or_die, tmp_path, "m0002", by=37)))  # a real-time signal
    assert [report for report in reports if isinstance(report, RoomLost)] == [
        RoomLost(rooms[1], 1, "the worker process was killed by signal 37")
    ]
    assert {room: report.attempt for room, report in played_in(reports).items()} == {
        "m0001": 1, "m0002": 2, "m0003": 1, "m0004": 1,
    }  # fmt: skip


def test_what_a_room_starts_does_not_hold_the_pipe(rooms: Rooms) -> None:
    assert isinstance(next(play(rooms[:1], 1, fakes.play_with_a_child)), RoomPlayed)


def test_what_a_worker_prints_is_talk_not_data(rooms: Rooms, capfd: pytest.CaptureFixture[str]) -> None:
    list(play(rooms[:1], 1, fakes.play_aloud))
    assert capfd.readouterr() == ("", "a word from the worker\n")


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
