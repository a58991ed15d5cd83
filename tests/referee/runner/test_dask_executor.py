"""Rooms on a cluster: never more than it has threads for, each loss once, and nothing on a worker that is not fit."""

import asyncio
import os
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread
from typing import Any, Self, TypeVar, cast

import pytest

from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner import dask_executor, remote_worker
from bourre_referee.runner.cluster import worker_tasks as tasks
from bourre_referee.runner.cluster.dask_link import DaskLink, WorkerAddress, Workers
from bourre_referee.runner.cluster.room_processes import WorkerRoomAnswer
from bourre_referee.runner.cluster.worker_tasks import Unfit, own_installation
from bourre_referee.runner.dask_executor import DaskExecutor
from bourre_referee.runner.executor import Workplace
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.remote_rooms import RemoteRooms
from bourre_referee.runner.room_reports import Report, RoomLost, RoomPlayed, WorkerLoad, WorkerNews
from bourre_referee.runner.worker import Failed, Played
from tests.referee import rooms as fakes
from tests.referee.remote_desk import LADDER, SITE, RemoteDesk
from tests.referee.rooms import Rooms

T = TypeVar("T")


class FakeLink:
    """A cluster whose workers do what the test says."""

    def __init__(self) -> None:
        self.address = "tls://scheduler:8786"
        self.is_open = True
        self.seats: tuple[WorkerAddress, ...] = ()
        self.stopped: frozenset[WorkerAddress] = frozenset()
        self.looks = 0
        self.lost = 0
        """How many questions who is there get no answer."""
        self.unfit: dict[str, str] = {}
        """Why workers cannot play, by address."""
        self.playing: dict[tuple[str, str], asyncio.Future[object]] = {}
        """The rooms in play, by worker and name."""
        self.examined: list[tuple[str, list[str]]] = []
        """With which bots workers were examined."""
        self.slow: set[str] = set()
        """The workers whose examination does not end."""
        self.begun: list[tuple[str, str]] = []
        self.absent: list[tuple[str, ...]] = []
        """The bots that the rooms do not start."""
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever)

    def __enter__(self) -> Self:
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

    async def look(self, known: Collection[WorkerAddress] = ()) -> Workers:
        self.looks += 1
        if self.lost:
            self.lost -= 1
            raise OSError("timed out")
        return Workers(self.seats, self.stopped.intersection(known))

    async def ask(self, address: str, task: object, *arguments: Any) -> object:
        if task is tasks.introduce:
            return {**asdict(own_installation()), "host": address.rpartition("/")[2], "process": address}
        if task is tasks.find_missing:
            return []
        if task is tasks.examine:
            self.examined.append((address, [bot.name for bot in arguments[1]]))
            while address in self.slow:
                await asyncio.sleep(0.001)
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
        playing = self.playing[address, room]
        end: Callable[[Any], None] = playing.set_exception if isinstance(answer, Exception) else playing.set_result
        self.loop.call_soon_threadsafe(end, answer)


def seat(name: str, slots: int = 1) -> WorkerAddress:
    return WorkerAddress(f"tls://{name}", f"/scratch/{name}", name, slots)


def played(room: RoomSpec) -> WorkerRoomAnswer:
    return WorkerRoomAnswer(
        Played(tuple(map(fakes.played, room.matches))), {"ada": b"hello\n", "zed": b"nobody of this room"}, 2.0
    )


class Desk:
    """An executor on such a cluster."""

    def __init__(self, link: FakeLink, executor: DaskExecutor, rooms: Rooms) -> None:
        self.link = link
        self.executor = executor
        self.rooms = {room.room: room for room in rooms}
        self.heard: list[Report] = []

    def until(self, happened: Callable[[], bool]) -> None:
        """Lets the executor work until this has happened."""
        while not happened():
            self.heard += self.executor.reports(0.05)

    def look(self) -> None:
        """Lets it ask three times who is there."""
        looks = self.link.looks
        self.until(lambda: self.link.looks >= looks + 3)

    def begun(self, number: int) -> None:
        self.until(lambda: len(self.link.begun) >= number)

    def finish(self, address: str, room: str) -> None:
        before = len(self.heard)
        self.link.answer(address, room, played(self.rooms[room]))
        self.until(lambda: len(self.heard) > before)

    def lost(self) -> list[RoomLost]:
        return [report for report in self.heard if isinstance(report, RoomLost)]


@pytest.fixture
def desk(rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(dask_executor, "LOOK_S", 0.02)
    with opened(rooms, tmp_path) as made:
        yield made


@contextmanager
def opened(rooms: Rooms, folder: Path, stop: Stop | None = None, listener: RemoteRooms | None = None) -> Iterator[Desk]:
    site = Site(folder / "contest", folder / "logs")
    place = Workplace(site, stop, remote=listener, brief=lambda room: replace(room, absent=("eve",)))
    with FakeLink() as link, DaskExecutor(cast("DaskLink", link), place) as executor:
        yield Desk(link, executor, rooms)


ALPHA, BETA = seat("alpha"), seat("beta")


def submit(desk: Desk, *names: str) -> None:
    for name in names:
        desk.executor.submit(desk.rooms[name])


def begin(desk: Desk, *names: str) -> None:
    """Has worker alpha begin the first of these rooms."""
    desk.link.seats = (ALPHA,)
    submit(desk, *names)
    desk.begun(1)


def test_there_are_never_more_rooms_in_play_than_threads(desk: Desk, rooms: Rooms) -> None:
    desk.link.seats = (seat("alpha"), seat("beta", 2))
    submit(desk, *desk.rooms)
    desk.begun(3)
    for finished in range(1, len(rooms) + 1):
        assert len(desk.link.playing) == min(3, len(rooms) - finished + 1)
        assert sorted(room.room for room in desk.executor.in_play) == sorted(room for _, room in desk.link.playing)
        alpha, beta, queue = desk.executor.load
        assert (alpha.worker, alpha.slots, beta.worker, beta.slots) == (
            "alpha (tls://alpha)",
            1,
            "beta (tls://beta)",
            2,
        )
        assert alpha.playing + beta.playing == len(desk.link.playing)
        assert queue == WorkerLoad("any worker", 0, 0, max(0, len(rooms) - finished - 2))
        desk.finish(*next(iter(desk.link.playing)))
        desk.begun(min(finished + 3, len(rooms)))
    assert sorted(name for _, name in desk.link.begun) == sorted(desk.rooms)
    assert not desk.executor.busy
    assert desk.executor.free == 3
    assert {name for name, _ in desk.link.begun} == {"tls://alpha", "tls://beta"}


def test_a_played_room_is_told_with_its_logs_and_counted(desk: Desk, tmp_path: Path) -> None:
    begin(desk, "m0001")
    desk.finish("tls://alpha", "m0001")
    room = desk.rooms["m0001"]
    assert desk.link.absent == [("eve",)], "a bot that failed to start often enough is not started here either"
    assert desk.heard == [RoomPlayed(room, 1, tuple(map(fakes.played, room.matches)))]
    assert (tmp_path / "logs/ada/m0001.log").read_text() == "hello\n"
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["ada"]
    (line,) = desk.executor.summary
    assert line.startswith("alpha played 1 rooms in 2 s of room time")


def test_a_worker_that_vanishes_loses_its_rooms_once_and_others_play_them(desk: Desk) -> None:
    desk.link.seats = (seat("alpha", 2), seat("beta"))
    submit(desk, "m0001", "m0002", "m0003")
    desk.begun(3)
    gone = sorted(name for address, name in desk.link.playing if address == "tls://alpha")
    desk.link.seats = (BETA,)
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


def test_a_worker_that_is_stopped_hands_its_room_back_without_an_attempt(desk: Desk) -> None:
    begin(desk, "m0001")
    desk.link.stopped, desk.link.seats = frozenset({ALPHA}), (BETA,)
    desk.begun(2)
    assert desk.heard == [WorkerNews("alpha (tls://alpha) was stopped: another worker plays its room")]
    desk.finish("tls://beta", "m0001")
    assert [report.attempt for report in desk.heard if isinstance(report, RoomPlayed)] == [1]


def test_a_worker_that_takes_no_tasks_for_a_while_goes_on_with_its_room(desk: Desk) -> None:
    begin(desk, "m0001", "m0002")
    desk.link.seats = (seat("alpha", 0),)
    desk.until(lambda: desk.executor._workers[seat("alpha")].seat.slots == 0)
    desk.finish("tls://alpha", "m0001")
    assert (len(desk.link.begun), desk.executor.free) == (1, 0)
    desk.link.seats = (ALPHA,)
    desk.begun(2)
    desk.finish("tls://alpha", "m0002")
    assert desk.lost() == []


def test_a_worker_that_is_found_unfit_costs_no_attempt(desk: Desk) -> None:
    begin(desk, "m0001")
    desk.link.seats = (ALPHA, BETA)
    desk.until(lambda: desk.executor.free == 1)
    desk.link.answer("tls://alpha", "m0001", Unfit("ada.py was changed: fetch it again"))
    desk.begun(2)
    assert desk.heard == [WorkerNews("alpha (tls://alpha) gets no rooms: ada.py was changed: fetch it again")]
    desk.finish("tls://beta", "m0001")
    assert [report.attempt for report in desk.heard if isinstance(report, RoomPlayed)] == [1]


def test_a_contest_ends_if_nobody_is_fit(desk: Desk) -> None:
    desk.link.seats = (ALPHA, BETA)
    desk.link.unfit = {"tls://alpha": "no box", "tls://beta": "no bourre"}
    submit(desk, "m0001")
    with pytest.raises(ContestFailed) as caught:
        desk.until(lambda: False)
    for reason in ("alpha (tls://alpha) gets no rooms: no box", "beta (tls://beta) gets no rooms: no bourre"):
        assert reason in str(caught.value)
    assert desk.link.begun == []


def test_a_room_that_fails_three_times_is_given_up(desk: Desk, tmp_path: Path) -> None:
    desk.link.seats = (ALPHA,)
    submit(desk, "m0001")
    for attempt in (1, 2, 3):
        desk.begun(attempt)
        desk.link.answer("tls://alpha", "m0001", WorkerRoomAnswer(Failed("no memory"), {"ada": b"boom\n"}, 1.0))
        desk.until(lambda wanted=attempt: len(desk.lost()) == wanted)  # type: ignore[misc]
    assert [lost.is_last for lost in desk.lost()] == [False, False, True]
    assert desk.lost()[0].reason == "on alpha: no memory"
    assert (tmp_path / "logs/ada/m0001.log").read_text() == "boom\n"
    assert not desk.executor.busy


def test_a_host_that_lost_rooms_is_asked_last(desk: Desk) -> None:
    begin(desk, "m0001")
    desk.link.seats = (ALPHA, BETA)
    desk.until(lambda: desk.executor.free == 1)
    desk.link.answer("tls://alpha", "m0001", WorkerRoomAnswer(Failed("no memory"), {}, 1.0))
    desk.begun(2)
    assert desk.link.begun[-1] == ("tls://beta", "m0001")


def test_a_scheduler_that_is_gone_ends_the_contest(desk: Desk) -> None:
    desk.link.is_open = False
    with pytest.raises(ContestFailed, match=r"the scheduler at tls://scheduler:8786 is gone\."):
        desk.executor.reports(0)


def test_what_is_left_early_is_withdrawn(rooms: Rooms, tmp_path: Path) -> None:
    with opened(rooms, tmp_path) as desk:
        begin(desk, "m0001")
        (playing,) = desk.link.playing.values()
        desk.executor.__exit__(None, None, None)
        asyncio.run_coroutine_threadsafe(asyncio.wait([playing]), desk.link.loop).result(30)
        assert playing.cancelled()


def test_a_newcomer_shows_once_that_it_can_start_all_bots_and_keeps_nobody_waiting(desk: Desk) -> None:
    desk.link.slow = {"tls://alpha"}
    desk.link.seats = (seat("alpha", 5),)
    submit(desk, "m0001", "m0002", "m0003")
    desk.until(lambda: len(desk.link.examined) == 1)
    desk.look()
    assert (desk.executor.free, len(desk.executor._asked), desk.link.begun) == (0, 1, [])
    desk.link.seats = (seat("alpha", 5), seat("beta"))
    desk.begun(1)
    desk.finish("tls://beta", "m0001")
    desk.begun(2)
    assert desk.link.begun == [("tls://beta", "m0001"), ("tls://beta", "m0002")]
    bots = sorted({bot.name for room in list(desk.rooms.values())[:3] for bot in room.entries})
    assert [(address, sorted(names)) for address, names in desk.link.examined] == [
        ("tls://alpha", bots),
        ("tls://beta", bots),
    ]
    desk.link.slow.clear()
    desk.begun(3)
    assert desk.link.begun[-1] == ("tls://alpha", "m0003")
    desk.until(lambda: desk.executor.free == 4)


def test_rooms_go_where_the_largest_share_of_the_threads_is_free(desk: Desk) -> None:
    desk.link.seats = (seat("alpha", 2), seat("beta", 4))
    desk.until(lambda: desk.executor.free == 6)
    submit(desk, "m0001", "m0002", "m0003")
    desk.begun(3)
    assert sorted(address for address, _ in desk.link.begun) == ["tls://alpha", "tls://beta", "tls://beta"]


def test_what_gets_lost_on_the_way_costs_an_attempt_and_the_worker_is_met_anew(desk: Desk) -> None:
    desk.link.lost = 2
    begin(desk, "m0001")
    desk.link.answer("tls://alpha", "m0001", tasks.AnotherProcess("the worker Worker-1 is gone\nand more"))
    desk.begun(2)
    (lost,) = desk.lost()
    assert (lost.attempt, lost.reason) == (1, "on alpha: AnotherProcess: the worker Worker-1 is gone")
    assert len(desk.link.examined) == 2
    desk.finish("tls://alpha", "m0001")
    assert [report.attempt for report in desk.heard if isinstance(report, RoomPlayed)] == [2]


def test_an_unfit_worker_is_told_once_and_tried_again_when_it_comes_back(desk: Desk) -> None:
    desk.link.unfit = {"tls://alpha": "no box"}
    desk.link.seats = (ALPHA, BETA)
    submit(desk, "m0001", "m0002")
    desk.begun(1)
    desk.until(lambda: bool(desk.heard))
    desk.look()
    assert desk.heard == [WorkerNews("alpha (tls://alpha) gets no rooms: no box")]
    desk.link.seats = (BETA,)
    desk.look()
    desk.link.unfit = {}
    desk.link.seats = (ALPHA, BETA)
    desk.begun(2)
    assert desk.link.begun == [("tls://beta", "m0001"), ("tls://alpha", "m0002")]
    assert len(desk.heard) == 1


def test_it_is_told_once_that_nobody_is_here(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "_LATE_S", 0.0)
    told = WorkerNews("no worker is connected: start one with `dask worker tls://scheduler:8786`")
    desk.look()
    desk.look()
    assert desk.heard == [told]
    desk.link.seats = (ALPHA,)
    desk.until(lambda: desk.executor.free == 1)
    desk.link.seats = ()
    desk.until(lambda: desk.executor.free == 0)
    desk.look()
    desk.look()
    assert desk.heard == [told, told]


def test_what_a_room_leaves_is_played_by_itself_and_a_log_that_cannot_be_kept_is_told(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "logs").write_text("no folder")
    first, second = desk.rooms["m0001"], desk.rooms["m0002"]
    both = replace(first, matches=(*first.matches, *second.matches), restarts=True)
    desk.link.seats = (ALPHA,)
    desk.executor.submit(both)
    desk.begun(1)
    desk.link.answer("tls://alpha", "m0001", played(first))
    desk.begun(2)
    assert desk.link.begun[-1] == ("tls://alpha", "m0002")
    (outcome,) = map(fakes.played, first.matches)
    told = f"{tmp_path / 'logs'}: cannot store the bots' output: Not a directory"
    assert desk.heard == [RoomPlayed(replace(both, matches=first.matches), 1, (replace(outcome, notices=(told,)),))]


def test_a_stop_is_heeded_and_nothing_stays_open(rooms: Rooms, tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with Stop() as stop, opened(rooms, tmp_path, stop) as desk:
        stop.call_off()
        with pytest.raises(KeyboardInterrupt):
            desk.executor.reports()
        stop.asked = True
        assert desk.executor.free == 0
        stop.asked = False
    assert len(os.listdir("/proc/self/fd")) == before


def test_remote_bots_play_at_the_listener_of_this_machine(
    rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener, entries = RemoteDesk(monkeypatch), tuple(replace(bot, command=None) for bot in rooms[0].entries)
    spec = replace(LADDER, bots=tuple(bot.name for bot in entries), most_bots=None, versioned=False)
    remote = replace(rooms[0], entries=entries)
    with opened(rooms, tmp_path, listener=RemoteRooms(listener.opened(spec), SITE)) as desk:
        desk.executor.submit(remote)
        assert (desk.executor.busy, desk.executor.in_play) == (True, ())
        assert desk.executor.reports(0) == []
        assert (desk.executor.busy, desk.executor.in_play) == (True, (remote,))
        assert [call.room for call in listener.calls()] == [SITE.place(replace(remote, absent=("eve",)))]
        answer = Played(tuple(map(fakes.played, remote.matches)))
        listener.says(remote_worker.RemoteRoomAnswer(1, answer))
        assert desk.executor.reports() == [RoomPlayed(remote, 1, answer.outcomes)]
        assert not desk.executor.busy


def test_it_looks_once_a_second_or_sooner(rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(dask_executor, "wait", lambda pipes, seconds: waited.append(seconds) or [])  # type: ignore[func-returns-value]
    with opened(rooms, tmp_path) as desk:
        for timeout in (None, 0.5, 60):
            desk.executor.reports(timeout)
    assert waited == [1.0, 0.5, 1.0]
