"""Plays rooms in worker processes on this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait

from bourre_referee.model.door_spec import remote_bots
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner import worker_process as process
from bourre_referee.runner.door_process import DoorProcess
from bourre_referee.runner.door_rooms import DoorRooms
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.room_reports import PlayRoom, Report, RoomLost, RoomPlayed, play_room
from bourre_referee.runner.room_task import RoomTask
from bourre_referee.runner.worker import Alive, Failed, Played, work
from bourre_referee.runner.worker_process import Worker

ATTEMPTS = 3
"""How often a room is tried before the host is given up."""


Reports = Generator[Report, None, None]


def play(
    rooms: Sequence[RoomSpec],
    jobs: int,
    play_room: PlayRoom = play_room,
    *,
    stop: Stop | None = None,
    environment: Mapping[str, str] | None = None,
    door: DoorProcess | None = None,
) -> Reports:
    """Plays every room, at most `jobs` at a time, and reports each in the order of finishing.

    What a room that `restarts` leaves unplayed becomes a room of its own. A room that fails, or whose worker dies or
    hangs, is played again by a fresh worker; the third failure raises ContestFailed. Close the iterator
    (`contextlib.closing`) to end early: when that returns, the workers are gone. A `stop` raises KeyboardInterrupt
    between two reports. `environment` is added to that of the workers. With a `door`, rooms with remote bots are played
    there; those with nobody else do not count as jobs.
    """
    at_door = [room for room in rooms if door and remote_bots(room)]
    others = [room for room in rooms if not (door and remote_bots(room))]
    pool = _WorkerPool(others, jobs, partial(Worker, partial(work, play_room=play_room), environment or {}), stop)
    pool.serve_door(DoorRooms(door, at_door) if door else None)
    try:
        pool.hand_out()
        while pool.busy:
            reports = pool.reports()
            given_up = [lost for lost in reports if isinstance(lost, RoomLost) and lost.attempt == ATTEMPTS]
            if not given_up:
                pool.hand_out()  # keeps the workers busy while the caller stores these results
            yield from reports
            if given_up:
                raise ContestFailed(_why(given_up[0]))
    finally:
        pool.close()


class _WorkerPool:
    """The queue of rooms, and the workers with the rooms they play."""

    def __init__(self, rooms: Sequence[RoomSpec], jobs: int, hire: Callable[[], Worker], stop: Stop | None) -> None:
        if jobs < 1:
            raise ValueError(f"{jobs} jobs play nothing: give 1 or more")
        self._waiting = deque(RoomTask(room) for room in rooms)
        self._jobs = jobs
        self._hire = hire
        self._stops = [stop.fileno()] if stop else []
        self._workers: dict[Worker, RoomTask | None] = {}
        self._door: DoorRooms | None = None

    def serve_door(self, door: DoorRooms | None) -> None:
        """Plays these rooms too, at a door."""
        self._door = door

    @property
    def busy(self) -> bool:
        return any(self._workers.values()) or (self._door is not None and self._door.busy)

    def hand_out(self) -> None:
        """Gives rooms to the door and to free workers, and starts new workers up to the limit."""
        if self._door:
            playing = sum(task is not None for task in self._workers.values())
            self._door.hand_out(self._jobs - playing, wanted=len(self._waiting))
        jobs = self._jobs - (self._door.jobs if self._door else 0)
        free = [worker for worker, task in self._workers.items() if task is None]
        while self._waiting and (free or len(self._workers) < jobs):
            worker = free.pop() if free else self._start_worker()
            task = self._workers[worker] = self._waiting.popleft()
            worker.give(task.room)

    def _start_worker(self) -> Worker:
        try:
            return self._hire()
        except OSError as error:
            raise ContestFailed(
                f"a worker process cannot be started ({error.strerror}): give fewer --jobs, or end other programs\n"
                "Finished matches are stored; run again to go on."
            ) from error

    def reports(self) -> list[Report]:
        """Waits until a worker answers, dies or hangs, or a beat is over; raises KeyboardInterrupt when stopped."""
        workers = {worker.pipe: worker for worker in self._workers}
        door = [self._door.pipe] if self._door else []
        ready = wait([*workers, *door, *self._stops], timeout=process.BEAT_S)
        if any(stop in ready for stop in self._stops):
            raise KeyboardInterrupt
        answering = [workers[pipe] for pipe in ready if isinstance(pipe, Connection) and pipe in workers]
        reports: list[Report | None] = [self._report(worker) for worker in answering]
        reports += [self._discard(worker, _HUNG) for worker in set(self._workers) - set(answering) if worker.hangs()]
        if self._door:
            reports += self._door.reports(self._door.pipe in ready)
        return [report for report in reports if report]

    def _report(self, worker: Worker) -> RoomPlayed | RoomLost | None:
        answer = worker.answer()
        if isinstance(answer, Played):
            task, self._workers[worker] = self._workers[worker], None
            return self._take(task, answer.outcomes) if task else None
        if isinstance(answer, Alive):
            return None
        return self._discard(worker, answer if isinstance(answer, Failed) else None)

    def _take(self, task: RoomTask, outcomes: tuple[MatchOutcome, ...]) -> RoomPlayed:
        """Queues what a room left unplayed."""
        report, left = task.played(outcomes)
        if left:
            self._waiting.appendleft(left)
        return report

    def _discard(self, worker: Worker, failed: Failed | None) -> RoomLost | None:
        """Ends a worker that failed, which is not trusted with another room, and queues its room again."""
        task = self._workers.pop(worker)
        worker.release()
        if failed is _HUNG:
            worker.kill()
        worker.stop()
        if task is None:
            return None
        report, again = task.lost(failed.reason if failed else worker.describe_death())
        self._waiting.appendleft(again)
        return report

    def close(self) -> None:
        """Ends every worker."""
        for worker in self._workers:
            worker.release()
        for worker in self._workers:
            worker.stop()


_HUNG = Failed(f"the worker process hung: it gave no sign of life for {process.BEAT_S * process.BEATS:.0f} s")


def _why(lost: RoomLost) -> str:
    return (
        f"room {lost.room.room} failed {lost.attempt} times, which is no bot's fault: {lost.reason}\n"
        "Finished matches are stored; fix the host and run again to go on."
    )
