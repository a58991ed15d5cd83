"""Plays rooms on the workers of a Dask cluster, and at the door of this machine: `--cluster`."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from multiprocessing.connection import wait
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Any, Self

from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import BotSpec, RoomSpec
from bourre_referee.runner.cluster.dask_link import LOOK_S, DaskLink, WorkerAddress
from bourre_referee.runner.cluster.room_processes import WorkerRoomAnswer, keep_logs
from bourre_referee.runner.cluster.worker_client import BotPacker, Gone, Station, WorkerShares
from bourre_referee.runner.cluster.worker_tasks import Unfit
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.room_reports import Report, RoomLost, RoomPlayed, RoomTask, WorkerNews
from bourre_referee.runner.worker_main import Failed, Played
from bourre_referee.storage.files.process_pool import usable_cores

_LATE_S = 10.0
"""After how many seconds without a worker the organiser is told."""

Outcome = WorkerRoomAnswer | Unfit | Gone | None
Work = Coroutine[Any, Any, Outcome]


def dask_rooms(link: DaskLink) -> MakeExecutor:
    """Plays rooms on the workers of a cluster, at most as many at a time as they have threads."""
    return lambda place: DaskExecutor(link, place)


class DaskExecutor:
    """Plays rooms (see `Executor`) inside a `with` block; each worker first shows that it is fit to play.

    Dask is never given more rooms than its workers have threads, and never plays one again by itself: then the death
    of a worker costs an attempt of exactly the rooms that it was playing.
    """

    def __init__(self, link: DaskLink, place: Workplace) -> None:
        self._link = link
        self._place = place
        self._packer = BotPacker(place.site)
        self._stops = [place.stop.fileno()] if place.stop else []
        self._waiting: deque[RoomTask] = deque()
        self._bots: dict[BotSpec, RoomSpec] = {}
        """A room for each bot, to show a worker before it plays any."""
        self._stations: dict[WorkerAddress, Station] = {}
        self._unfit: dict[WorkerAddress, str] = {}
        self._asked: dict[int, tuple[Station, RoomTask | None, Future[Any]]] = {}
        """What workers do now, by number: rooms, and examinations, which are of no room."""
        self._numbers = count(1)
        self._heard: SimpleQueue[tuple[int, Future[Any]]] = SimpleQueue()
        self._look: Future[tuple[WorkerAddress, ...]] | None = None
        self._looked = -LOOK_S
        self._alone_since: float | None = monotonic()
        self._shares = WorkerShares()
        self._waking = Lock()
        self._awake, writing = os.pipe()
        self._wake: int | None = writing
        """Where Dask's thread writes to wake this one; None once nobody listens."""
        os.set_blocking(self._awake, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._waiting.clear()
        for _, _, future in self._asked.values():
            future.cancel()  # its worker notices within a moment that nobody wants the room any more
        self._asked.clear()
        with self._waking:
            if self._wake is not None:
                os.close(self._wake)
                os.close(self._awake)
                self._wake = None

    def submit(self, room: RoomSpec) -> None:
        """Queues a room (see `Executor`)."""
        if self._place.door and remote_bots(room):
            self._place.door.submit(room)
            return
        self._waiting.append(RoomTask(room))
        for bot in room.entries:
            self._bots.setdefault(bot, room)

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""
        return bool(self._waiting) or self._playing > 0 or (self._place.door is not None and self._place.door.busy)

    @property
    def free(self) -> int:
        """How many more rooms could begin without waiting (see `Executor`)."""
        slots = sum(station.seat.slots for station in self._stations.values() if station.is_examined)
        return max(0, slots - self._playing - len(self._waiting))

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play, at the door too."""
        there = tuple(task.room for _, task, _ in self._asked.values() if task)
        return there + (self._place.door.in_play if self._place.door else ())

    @property
    def summary(self) -> tuple[str, ...]:
        """What each host has done, one sentence each."""
        return self._shares.lines()

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Begins what may begin, and waits for reports (see `Executor`); some worker must be fit to play."""
        self._begin()
        self._wait(min(LOOK_S, LOOK_S if timeout is None else timeout))
        reports = list(self._reports())
        self._begin()
        return reports

    @property
    def _playing(self) -> int:
        return sum(task is not None for _, task, _ in self._asked.values())

    def _begin(self) -> None:
        """Looks who is there, examines newcomers, and hands out rooms."""
        if self._place.door:
            self._place.door.hand_out(usable_cores(), 0, self._place.brief)
        if not self._link.is_open:
            raise ContestFailed(
                f"the scheduler at {self._link.address} is gone: start it and its workers again\n"
                "Finished matches are stored; run again to go on."
            )
        if self._look is None and monotonic() - self._looked >= LOOK_S:
            self._looked = monotonic()
            self._look = self._link.start(self._link.look(), lambda done: self._hear(0, done))
        load = Counter(station.seat for station, _, _ in self._asked.values())
        for newcomer in self._stations.values():
            if not newcomer.is_examined and not load[newcomer.seat] and newcomer.seat.slots:
                self._ask(newcomer, None)
        while self._waiting and (station := self._choose_station(load)):
            self._ask(station, self._waiting.popleft())
            load[station.seat] += 1

    def _choose_station(self, load: Counter[WorkerAddress]) -> Station | None:
        """Returns the worker with the most free threads, of those hosts that lost the fewest rooms."""
        free = [s for s in self._stations.values() if s.is_examined and load[s.seat] < s.seat.slots]
        return min(free, key=lambda s: (self._shares.lost(s.name), load[s.seat] / s.seat.slots), default=None)

    def _ask(self, station: Station, task: RoomTask | None) -> None:
        number = next(self._numbers)
        if task:
            work: Work = station.play(self._place.brief(task.room))
        else:
            work = station.examine(list(dict.fromkeys(self._bots.values())))
        future: Future[Any] = self._link.start(work, lambda done: self._hear(number, done))
        self._asked[number] = station, task, future

    def _hear(self, number: int, done: Future[Any]) -> None:
        """Notes in Dask's thread that something is done, and wakes the executor."""
        self._heard.put((number, done))
        with self._waking:
            if self._wake is not None:
                os.write(self._wake, b".")

    def _wait(self, seconds: float) -> None:
        """Waits until a worker or the door says something, or time is up."""
        door = [self._place.door.pipe] if self._place.door else []
        ready = wait([self._awake, *door, *self._stops], seconds)
        if any(stop in ready for stop in self._stops):
            raise KeyboardInterrupt
        if self._awake in ready:
            os.read(self._awake, 4096)

    def _reports(self) -> Iterator[Report]:
        while True:
            try:
                number, done = self._heard.get_nowait()
            except Empty:
                break
            if number == 0:
                yield from self._take_look(done)
            elif number in self._asked:
                station, task, _ = self._asked.pop(number)
                yield from self._take(station, task, done.result())
        if self._place.door:
            yield from self._place.door.reports(self._place.door.pipe.poll())

    def _take(self, station: Station, task: RoomTask | None, outcome: Outcome) -> Iterator[Report]:
        if isinstance(outcome, Unfit):
            yield from self._exclude(station, outcome.reason)
            if task:
                self._waiting.appendleft(task)
        elif isinstance(outcome, Gone):
            self._stations.pop(station.seat, None)
            yield from self._lose(station, task, outcome.reason)
        elif outcome is None:
            station.is_examined = True
        elif task and isinstance(outcome.answer, Played):
            yield self._take_played(station, task, outcome, outcome.answer)
        elif task and isinstance(outcome.answer, Failed):
            keep_logs(self._place.site, task.room, outcome.logs)
            yield from self._lose(station, task, outcome.answer.reason)
        self._check_that_somebody_plays()

    def _take_played(self, station: Station, task: RoomTask, outcome: WorkerRoomAnswer, answer: Played) -> RoomPlayed:
        self._shares.add(station.name, answer.outcomes, outcome.seconds)
        report, left = task.played(answer.outcomes)
        if left:
            self._waiting.appendleft(left)
        trouble = keep_logs(self._place.site, task.room, outcome.logs)
        first, *others = report.outcomes
        return replace(report, outcomes=(replace(first, notices=(*first.notices, *trouble)), *others))

    def _lose(self, station: Station, task: RoomTask | None, reason: str) -> Iterator[RoomLost]:
        if task:
            self._shares.add_lost(station.name)
            lost, again = task.lost(f"on {station.name}: {reason}")
            if again:
                self._waiting.appendleft(again)
            yield lost

    def _exclude(self, station: Station, reason: str) -> Iterator[WorkerNews]:
        if station.seat not in self._unfit:
            self._unfit[station.seat] = f"{station.name} ({station.seat.address}) plays nothing: {reason}"
            self._stations.pop(station.seat, None)
            yield WorkerNews(self._unfit[station.seat])

    def _take_look(self, done: Future[tuple[WorkerAddress, ...]]) -> Iterator[Report]:
        self._look = None
        if done.cancelled() or done.exception():
            return  # Dask tries to reach the scheduler again, or closes the connection
        here = done.result()
        for seat in [seat for seat in self._stations if seat not in here]:
            station = self._stations.pop(seat)
            for number, (asked, task, future) in list(self._asked.items()):
                if asked is station:
                    del self._asked[number]
                    future.cancel()
                    yield from self._lose(station, task, "the worker is gone")
        self._unfit = {seat: reason for seat, reason in self._unfit.items() if seat in here}
        for seat in here:
            if seat in self._stations:
                self._stations[seat].seat = seat  # it may take more or fewer rooms now
            elif seat not in self._unfit:
                self._stations[seat] = Station(self._link, seat, self._packer)
        yield from self._tell_if_alone()

    def _tell_if_alone(self) -> Iterator[WorkerNews]:
        if self._stations:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = monotonic()
        elif 0 < self._alone_since < monotonic() - _LATE_S:
            self._alone_since = float("inf")  # told
            yield WorkerNews(f"no worker is here: start some with `dask worker {self._link.address}`")

    def _check_that_somebody_plays(self) -> None:
        if self._unfit and not self._stations and self._waiting:
            reasons = "\n".join(self._unfit.values())
            raise ContestFailed(f"no worker can play:\n{reasons}\nFinished matches are stored; run again to go on.")
