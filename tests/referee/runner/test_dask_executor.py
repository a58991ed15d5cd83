"""Rooms on a cluster: never more than it has threads for, each loss once, and nothing on a worker that is not fit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar, cast

import pytest

from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner import dask_executor
from bourre_referee.runner.cluster import worker_tasks as tasks
from bourre_referee.runner.cluster.crew import RoomAnswer
from bourre_referee.runner.cluster.dask_link import DaskLink, Seat
from bourre_referee.runner.cluster.fitness import Unfit, own_installation
from bourre_referee.runner.dask_executor import DaskExecutor
from bourre_referee.runner.executor import Workplace
from bourre_referee.runner.room_reports import Report, RoomLost, RoomPlayed, WorkerNews
from bourre_referee.runner.worker import Failed, Played
from tests.referee import rooms as fakes

T = TypeVar("T")


class FakeLink:
    """A cluster whose workers do what the test says."""

    def __init__(self) -> None:
        self.address = "tls://scheduler:8786"
        self.is_open = True
        self.seats: tuple[Seat, ...] = ()
        self.unfit: dict[str, str] = {}
        """Why workers cannot play, by address."""
        self.playing: dict[tuple[str, str], asyncio.Future[object]] = {}
        """The rooms in play, by worker and name."""
        self.begun: list[tuple[str, str]] = []
        self.absent: list[tuple[str, ...]] = []
        """The bots that the rooms do not start."""
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever)

    def __enter__(self) -> FakeLink:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end_tasks(), self.loop).result(30)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end_tasks(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def start(self, work: Coroutine[Any, Any, T], done: Callable[[Future[T]], None]) -> Future[T]:
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        future.add_done_callback(done)
        return future

    async def look(self) -> tuple[Seat, ...]:
        return self.seats

    async def ask(self, address: str, task: object, *arguments: Any) -> object:
        if task is tasks.introduce:
            return {**asdict(own_installation()), "host": address.rpartition("/")[2], "process": address}
        if task is tasks.find_missing:
            return []
        if task is tasks.examine:
            return Unfit(self.unfit[address]) if address in self.unfit else None
        assert task is tasks.play
        room: RoomSpec = arguments[1]
        self.begun.append((address, room.room))
        self.absent.append(room.absent)
        future = self.playing[address, room.room] = self.loop.create_future()
        try:
            return await future
        finally:
            del self.playing[address, room.room]

    def answer(self, address: str, room: str, answer: object) -> None:
        """Ends a room in play."""
        self.loop.call_soon_threadsafe(self.playing[address, room].set_result, answer)


def seat(name: str, slots: int = 1) -> Seat:
    return Seat(f"tls://{name}", f"/scratch/{name}", name, slots)


def played(room: RoomSpec) -> RoomAnswer:
    return RoomAnswer(Played(tuple(map(fakes.played, room.matches))), {"ada": b"hello\n"}, 2.0)


class Desk:
    """An executor on such a cluster."""

    def __init__(self, link: FakeLink, executor: DaskExecutor, rooms: tuple[RoomSpec, ...]) -> None:
        self.link = link
        self.executor = executor
        self.rooms = {room.room: room for room in rooms}
        self.heard: list[Report] = []

    def until(self, happened: Callable[[], bool]) -> None:
        """Lets the executor work until this has happened."""
        while not happened():
            self.heard += self.executor.reports(0.05)

    def begun(self, number: int) -> None:
        self.until(lambda: len(self.link.begun) >= number)

    def finish(self, address: str, room: str) -> None:
        before = len(self.heard)
        self.link.answer(address, room, played(self.rooms[room]))
        self.until(lambda: len(self.heard) > before)

    def lost(self) -> list[RoomLost]:
        return [report for report in self.heard if isinstance(report, RoomLost)]


@pytest.fixture
def desk(rooms: tuple[RoomSpec, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(dask_executor, "LOOK_S", 0.02)
    with opened(rooms, tmp_path) as made:
        yield made


@contextmanager
def opened(rooms: tuple[RoomSpec, ...], folder: Path) -> Iterator[Desk]:
    place = Workplace(Site(folder / "contest", folder / "logs"), brief=lambda room: replace(room, absent=("eve",)))
    with FakeLink() as link, DaskExecutor(cast("DaskLink", link), place) as executor:
        yield Desk(link, executor, rooms)


def submit(desk: Desk, *names: str) -> None:
    for name in names:
        desk.executor.submit(desk.rooms[name])


def test_there_are_never_more_rooms_in_play_than_threads(desk: Desk, rooms: tuple[RoomSpec, ...]) -> None:
    desk.link.seats = (seat("alpha"), seat("beta", 2))
    submit(desk, *desk.rooms)
    desk.begun(3)
    for finished in range(1, len(rooms) + 1):
        assert len(desk.link.playing) == min(3, len(rooms) - finished + 1)
        assert sorted(room.room for room in desk.executor.in_play) == sorted(room for _, room in desk.link.playing)
        desk.finish(*next(iter(desk.link.playing)))
        desk.begun(min(finished + 3, len(rooms)))
    assert sorted(name for _, name in desk.link.begun) == sorted(desk.rooms)
    assert not desk.executor.busy
    assert desk.executor.free == 3
    assert {name for name, _ in desk.link.begun} == {"tls://alpha", "tls://beta"}


def test_a_played_room_is_told_with_its_logs_and_counted(desk: Desk, tmp_path: Path) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001")
    desk.begun(1)
    desk.finish("tls://alpha", "m0001")
    room = desk.rooms["m0001"]
    assert desk.link.absent == [("eve",)], "a bot that failed to start often enough is not started here either"
    assert desk.heard == [RoomPlayed(room, 1, tuple(map(fakes.played, room.matches)))]
    assert (tmp_path / "logs/ada/m0001.log").read_text() == "hello\n"
    (line,) = desk.executor.summary
    assert line.startswith("alpha played 1 rooms in 2 s of room time")


def test_a_worker_that_vanishes_loses_its_rooms_once_and_others_play_them(desk: Desk) -> None:
    desk.link.seats = (seat("alpha", 2), seat("beta"))
    submit(desk, "m0001", "m0002", "m0003")
    desk.begun(3)
    gone = sorted(name for address, name in desk.link.playing if address == "tls://alpha")
    desk.link.seats = (seat("beta"),)
    desk.until(lambda: len(desk.lost()) == 2)
    assert sorted(lost.room.room for lost in desk.lost()) == gone
    assert {(lost.attempt, lost.reason) for lost in desk.lost()} == {(1, "on alpha: the worker is gone")}
    for number in (3, 4, 5):
        desk.until(lambda wanted=number: len(desk.link.begun) == wanted and len(desk.link.playing) == 1)  # type: ignore[misc]
        desk.finish(*next(iter(desk.link.playing)))
    assert {report.room.room: report.attempt for report in desk.heard if isinstance(report, RoomPlayed)} == {
        name: 2 if name in gone else 1 for name in ("m0001", "m0002", "m0003")
    }
    assert len(desk.lost()) == 2


def test_a_worker_that_takes_no_tasks_for_a_while_goes_on_with_its_room(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001", "m0002")
    desk.begun(1)
    desk.link.seats = (seat("alpha", 0),)
    desk.until(lambda: desk.executor._stations[seat("alpha")].seat.slots == 0)
    desk.finish("tls://alpha", "m0001")
    assert (len(desk.link.begun), desk.executor.free) == (1, 0)
    desk.link.seats = (seat("alpha"),)
    desk.begun(2)
    desk.finish("tls://alpha", "m0002")
    assert desk.lost() == []


def test_a_worker_started_again_at_the_same_address_is_another_one(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001")
    desk.begun(1)
    desk.link.seats = (Seat("tls://alpha", "/scratch/new", "alpha", 1),)
    desk.until(lambda: len(desk.lost()) == 1)
    desk.begun(2)
    desk.finish("tls://alpha", "m0001")
    assert [type(report) for report in desk.heard] == [RoomLost, RoomPlayed]


def test_a_worker_that_is_found_unfit_costs_no_attempt(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001")
    desk.begun(1)
    desk.link.seats = (seat("alpha"), seat("beta"))
    desk.until(lambda: desk.executor.free == 1)
    desk.link.answer("tls://alpha", "m0001", Unfit("ada.py was changed: fetch it again"))
    desk.begun(2)
    assert desk.heard == [WorkerNews("alpha (tls://alpha) plays nothing: ada.py was changed: fetch it again")]
    desk.finish("tls://beta", "m0001")
    assert [report.attempt for report in desk.heard if isinstance(report, RoomPlayed)] == [1]


def test_a_worker_without_tls_on_another_machine_is_sent_nothing(desk: Desk) -> None:
    desk.link.seats = (Seat("tcp://10.0.0.5:4000", "/scratch", "far", 1),)
    submit(desk, "m0001")
    with pytest.raises(ContestFailed, match=r"no worker can play:\nfar .*its connection is not encrypted"):
        desk.until(lambda: False)
    assert desk.link.begun == []


def test_a_contest_ends_if_nobody_is_fit(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"), seat("beta"))
    desk.link.unfit = {"tls://alpha": "no box", "tls://beta": "no bourre"}
    submit(desk, "m0001")
    with pytest.raises(ContestFailed) as caught:
        desk.until(lambda: False)
    for reason in ("alpha (tls://alpha) plays nothing: no box", "beta (tls://beta) plays nothing: no bourre"):
        assert reason in str(caught.value)
    assert desk.link.begun == []


def test_a_room_that_fails_three_times_is_given_up(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001")
    for attempt in (1, 2, 3):
        desk.begun(attempt)
        desk.link.answer("tls://alpha", "m0001", RoomAnswer(Failed("no memory"), {}, 1.0))
        desk.until(lambda wanted=attempt: len(desk.lost()) == wanted)  # type: ignore[misc]
    assert [lost.is_last for lost in desk.lost()] == [False, False, True]
    assert desk.lost()[0].reason == "on alpha: no memory"
    assert not desk.executor.busy


def test_a_host_that_lost_rooms_is_asked_last(desk: Desk) -> None:
    desk.link.seats = (seat("alpha"),)
    submit(desk, "m0001")
    desk.begun(1)
    desk.link.seats = (seat("alpha"), seat("beta"))
    desk.until(lambda: desk.executor.free == 1)
    desk.link.answer("tls://alpha", "m0001", RoomAnswer(Failed("no memory"), {}, 1.0))
    desk.begun(2)
    assert desk.link.begun[-1] == ("tls://beta", "m0001")


def test_a_scheduler_that_is_gone_ends_the_contest(desk: Desk) -> None:
    desk.link.is_open = False
    with pytest.raises(ContestFailed, match="the scheduler at tls://scheduler:8786 is gone: start it"):
        desk.executor.reports(0)


def test_what_is_left_early_is_withdrawn(rooms: tuple[RoomSpec, ...], tmp_path: Path) -> None:
    with opened(rooms, tmp_path) as desk:
        desk.link.seats = (seat("alpha"),)
        submit(desk, "m0001")
        desk.begun(1)
        (playing,) = desk.link.playing.values()
        desk.executor.__exit__(None, None, None)
        asyncio.run_coroutine_threadsafe(asyncio.wait([playing]), desk.link.loop).result(30)
        assert playing.cancelled()
