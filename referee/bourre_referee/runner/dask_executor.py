"""Plays rooms on the workers of a Dask cluster, and rooms with remote bots on this machine: `--cluster`."""

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

from bourre_referee.model.errors import GO_ON, ContestFailed
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import BotSpec, RoomSpec
from bourre_referee.runner.cluster.dask_link import LOOK_S, DaskLink, WorkerAddress, Workers
from bourre_referee.runner.cluster.room_processes import WorkerRoomAnswer, keep_logs
from bourre_referee.runner.cluster.worker_client import BotPacker, Gone, WorkerClient, WorkerShares
from bourre_referee.runner.cluster.worker_tasks import Unfit
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.room_reports import Report, RoomLost, RoomPlayed, RoomTask, WorkerLoad, WorkerNews
from bourre_referee.runner.worker import Failed, Played
from bourre_referee.storage.files.process_pool import usable_cores

_LATE_S = 10.0
"""The seconds without a worker after which the organiser is told."""

Outcome = WorkerRoomAnswer | Unfit | Gone | None
Work = Coroutine[Any, Any, Outcome]


def dask_rooms(link: DaskLink) -> MakeExecutor:
    """Plays rooms on the workers of a cluster: at most one per thread at a time."""
    return lambda place: DaskExecutor(link, place)


class DaskExecutor:
    """Plays rooms (see `Executor`) inside a `with` block. Each worker is examined before its first room.

    Dask never gets more rooms than its workers have threads, and never replays one on its own. So the death of a worker
    costs one attempt of exactly the rooms that it was playing, and a worker that is stopped hands them back.
    """

    def __init__(self, link: DaskLink, place: Workplace) -> None:
        self._link = link
        self._place = place
        self._packer = BotPacker(place.site)
        self._stop = place.stop
        self._waiting: deque[RoomTask] = deque()
        self._bots: dict[BotSpec, RoomSpec] = {}
        """A room for each bot, with which workers are examined."""
        self._workers: dict[WorkerAddress, WorkerClient] = {}
        self._unfit: dict[WorkerAddress, str] = {}
        self._asked: dict[int, tuple[WorkerClient, RoomTask | None, Future[Any]]] = {}
        """Pending work by number: rooms, and examinations (which have no room)."""
        self._numbers = count(1)
        self._heard: SimpleQueue[tuple[int, Future[Any]]] = SimpleQueue()
        self._look: Future[Workers] | None = None
        self._looked = -LOOK_S
        self._alone_since: float | None = monotonic()
        self._shares = WorkerShares()
        self._waking = Lock()
        self._awake, writing = os.pipe()
        self._wake: int | None = writing
        """The pipe by which Dask's thread wakes this one; None once this one has ended."""
        os.set_blocking(self._awake, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._waiting.clear()
        for _, _, future in self._asked.values():
            future.cancel()  # its worker then stops the room
        self._asked.clear()
        with self._waking:
            if self._wake is not None:
                os.close(self._wake)
                os.close(self._awake)
                self._wake = None

    def submit(self, room: RoomSpec) -> None:
        """Queues a room (see `Executor`)."""
        if self._place.remote and remote_bots(room):
            self._place.remote.submit(room)
            return
        self._waiting.append(RoomTask(room))
        for bot in room.entries:
            self._bots.setdefault(bot, room)

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""
        return bool(self._waiting) or self._playing > 0 or (self._place.remote is not None and self._place.remote.busy)

    @property
    def free(self) -> int:
        """The number of rooms that could begin at once (see `Executor`)."""
        if self._stop and self._stop.asked:
            return 0
        slots = sum(worker.seat.slots for worker in self._workers.values() if worker.is_examined)
        return max(0, slots - self._playing - len(self._waiting))

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play, including those with remote bots."""
        there = tuple(task.room for _, task, _ in self._asked.values() if task)
        return there + (self._place.remote.in_play if self._place.remote else ())

    @property
    def load(self) -> tuple[WorkerLoad, ...]:
        """The work of each worker, of the queue that they share, and of the listener."""
        playing = Counter(worker.seat for worker, task, _ in self._asked.values() if task)
        workers = [WorkerLoad(f"{seat.host} ({seat.address})", seat.slots, playing[seat], 0) for seat in self._workers]
        queue = WorkerLoad("any worker", 0, 0, len(self._waiting))
        return (*workers, queue, *((self._place.remote.load,) if self._place.remote else ()))

    @property
    def summary(self) -> tuple[str, ...]:
        """A sentence for each host about its work."""
        return self._shares.lines()

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Starts rooms, and waits for reports (see `Executor`). Raises ContestFailed if no worker can play."""
        self._begin()
        self._wait(min(LOOK_S, LOOK_S if timeout is None else timeout))
        reports = list(self._reports())
        self._begin()
        return reports

    @property
    def _playing(self) -> int:
        return sum(task is not None for _, task, _ in self._asked.values())

    def _begin(self) -> None:
        """Finds the workers, examines new ones, and hands out rooms."""
        if self._stop and self._stop.asked:
            return
        if self._place.remote:
            self._place.remote.hand_out(usable_cores(), 0, self._place.brief)
        if not self._link.is_open:
            raise ContestFailed(
                f"the scheduler at {self._link.address} is gone.\nhint: start it and its workers again\n{GO_ON}"
            )
        if self._look is None and monotonic() - self._looked >= LOOK_S:
            self._looked = monotonic()
            self._look = self._link.start(self._link.look([*self._workers]), lambda done: self._hear(0, done))
        load = Counter(worker.seat for worker, _, _ in self._asked.values())
        for newcomer in self._workers.values():
            if not newcomer.is_examined and not load[newcomer.seat] and newcomer.seat.slots:
                self._ask(newcomer, None)
        while self._waiting and (worker := self._choose_worker(load)):
            self._ask(worker, self._waiting.popleft())
            load[worker.seat] += 1

    def _choose_worker(self, load: Counter[WorkerAddress]) -> WorkerClient | None:
        """Returns the worker with the most free threads on the hosts that lost the fewest rooms."""
        free = [s for s in self._workers.values() if s.is_examined and load[s.seat] < s.seat.slots]
        return min(free, key=lambda s: (self._shares.lost(s.name), load[s.seat] / s.seat.slots), default=None)

    def _ask(self, worker: WorkerClient, task: RoomTask | None) -> None:
        number = next(self._numbers)
        if task:
            work: Work = worker.play(self._place.brief(task.room))
        else:
            work = worker.examine(list(dict.fromkeys(self._bots.values())))
        future: Future[Any] = self._link.start(work, lambda done: self._hear(number, done))
        self._asked[number] = worker, task, future

    def _hear(self, number: int, done: Future[Any]) -> None:
        """Stores a result in Dask's thread, and wakes the executor."""
        self._heard.put((number, done))
        with self._waking:
            if self._wake is not None:
                os.write(self._wake, b".")

    def _wait(self, seconds: float) -> None:
        """Waits until a worker or the listener sends something, or until time is up."""
        listener = [self._place.remote.pipe] if self._place.remote else []
        stops = [self._stop.fileno()] if self._stop else []
        ready = wait([self._awake, *listener, *stops], seconds)
        if self._stop:
            self._stop.heed(in_play=bool(self.in_play))
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
                worker, task, _ = self._asked.pop(number)
                yield from self._take(worker, task, done.result())
        if self._place.remote:
            yield from self._place.remote.reports(self._place.remote.pipe.poll())

    def _take(self, worker: WorkerClient, task: RoomTask | None, outcome: Outcome) -> Iterator[Report]:
        if isinstance(outcome, Unfit):
            yield from self._exclude(worker, outcome.reason)
            if task:
                self._waiting.appendleft(task)
        elif isinstance(outcome, Gone):
            self._workers.pop(worker.seat, None)
            yield from self._lose(worker, task, outcome.reason)
        elif outcome is None:
            worker.is_examined = True
        elif task and isinstance(outcome.answer, Played):
            yield self._take_played(worker, task, outcome, outcome.answer)
        elif task and isinstance(outcome.answer, Failed):
            keep_logs(self._place.site, task.room, outcome.logs)
            yield from self._lose(worker, task, outcome.answer.reason)
        self._check_that_somebody_plays()

    def _take_played(
        self, worker: WorkerClient, task: RoomTask, outcome: WorkerRoomAnswer, answer: Played
    ) -> RoomPlayed | RoomLost:
        self._shares.add(worker.name, answer.outcomes, outcome.seconds)
        report, left = task.played(answer.outcomes)
        if left:
            self._waiting.appendleft(left)
        trouble = keep_logs(self._place.site, task.room, outcome.logs)
        if isinstance(report, RoomLost):
            return report
        first, *others = report.outcomes
        return replace(report, outcomes=(replace(first, notices=(*first.notices, *trouble)), *others))

    def _lose(self, worker: WorkerClient, task: RoomTask | None, reason: str) -> Iterator[RoomLost]:
        if task:
            self._shares.add_lost(worker.name)
            lost, again = task.lost(f"on {worker.name}: {reason}")
            if again:
                self._waiting.appendleft(again)
            yield lost

    def _exclude(self, worker: WorkerClient, reason: str) -> Iterator[WorkerNews]:
        if worker.seat not in self._unfit:
            self._unfit[worker.seat] = f"{worker.name} ({worker.seat.address}) gets no rooms: {reason}"
            self._workers.pop(worker.seat, None)
            yield WorkerNews(self._unfit[worker.seat])

    def _take_look(self, done: Future[Workers]) -> Iterator[Report]:
        self._look = None
        if done.cancelled() or done.exception():
            return  # Dask reconnects to the scheduler, or closes the connection
        here, stopped = done.result()
        for seat in [seat for seat in self._workers if seat not in here]:
            worker = self._workers.pop(seat)
            for number, (asked, task, future) in list(self._asked.items()):
                if asked is worker:
                    del self._asked[number]
                    future.cancel()
                    if task and seat in stopped:
                        self._waiting.appendleft(task)
                        yield WorkerNews(f"{worker.name} ({seat.address}) was stopped: another worker plays its room")
                    else:
                        yield from self._lose(worker, task, "the worker is gone")
        self._unfit = {seat: reason for seat, reason in self._unfit.items() if seat in here}
        for seat in here:
            if seat in self._workers:
                self._workers[seat].seat = seat  # its number of slots may have changed
            elif seat not in self._unfit:
                self._workers[seat] = WorkerClient(self._link, seat, self._packer)
        yield from self._tell_if_alone()

    def _tell_if_alone(self) -> Iterator[WorkerNews]:
        if self._workers:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = monotonic()
        elif 0 < self._alone_since < monotonic() - _LATE_S:
            self._alone_since = float("inf")  # told
            yield WorkerNews(f"no worker is connected: start one with `dask worker {self._link.address}`")

    def _check_that_somebody_plays(self) -> None:
        if self._unfit and not self._workers and self._waiting:
            reasons = "\n".join(self._unfit.values())
            raise ContestFailed(f"no worker can play:\n{reasons}\n{GO_ON}")
