"""Rooms played by worker processes of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from bourre_referee.errors import ContestFailed
from bourre_referee.executors.process import Worker
from bourre_referee.executors.reports import PlayRoom, RoomLost, RoomPlayed, play_room
from bourre_referee.executors.worker import Played
from bourre_referee.spec import RoomSpec

ATTEMPTS = 3
"""How often a room is played before the host is given up."""


Reports = Generator[RoomPlayed | RoomLost, None, None]


def play(rooms: Sequence[RoomSpec], jobs: int, play_room: PlayRoom = play_room) -> Reports:
    """Plays every room, at most `jobs` at a time, and tells of each in finishing order.

    A room whose worker dies, or that fails, is played again by a fresh worker; ContestFailed at the third time.
    Close the iterator (`contextlib.closing`) to stop early: the workers are gone when that returns.
    """
    workshop = _Workshop(rooms, jobs, play_room)
    try:
        workshop.hand_out()
        while workshop.busy:
            reports = workshop.reports()
            given_up = [lost for lost in reports if isinstance(lost, RoomLost) and lost.attempt == ATTEMPTS]
            if not given_up:
                workshop.hand_out()  # so that the workers are busy while the caller keeps these results
            yield from reports
            if given_up:
                raise ContestFailed(_why(given_up[0]))
    finally:
        workshop.close()


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Task:
    room: RoomSpec
    attempt: int = 1


class _Workshop:
    """The rooms that wait, and the workers with the rooms that they are at."""

    def __init__(self, rooms: Sequence[RoomSpec], jobs: int, play_room: PlayRoom) -> None:
        if jobs < 1:
            raise ValueError(f"{jobs} jobs play nothing: give 1 or more")
        self._waiting = deque(_Task(room) for room in rooms)
        self._jobs = jobs
        self._play_room = play_room
        self._workers: dict[Worker, _Task | None] = {}

    @property
    def busy(self) -> bool:
        return any(self._workers.values())

    def hand_out(self) -> None:
        """Gives rooms to free workers, and to new ones as far as there may be more."""
        free = [worker for worker, task in self._workers.items() if task is None]
        while self._waiting and (free or len(self._workers) < self._jobs):
            worker = free.pop() if free else Worker(self._play_room)
            task = self._workers[worker] = self._waiting.popleft()
            worker.give(task.room)

    def reports(self) -> list[RoomPlayed | RoomLost]:
        """Waits until at least one worker answers or dies."""
        workers = {worker.pipe: worker for worker in self._workers}
        answering = [workers[pipe] for pipe in wait(list(workers)) if isinstance(pipe, Connection)]
        return [report for worker in answering if (report := self._report(worker))]

    def _report(self, worker: Worker) -> RoomPlayed | RoomLost | None:
        task, answer = self._workers[worker], worker.answer()
        if isinstance(answer, Played):
            self._workers[worker] = None
            return RoomPlayed(task.room, task.attempt, answer.outcomes) if task else None
        # A worker that failed once is not trusted with another room.
        del self._workers[worker]
        worker.stop()
        if task is None:
            return None
        self._waiting.appendleft(_Task(task.room, task.attempt + 1))
        return RoomLost(task.room, task.attempt, answer.reason if answer else worker.death())

    def close(self) -> None:
        """Ends every worker."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.stop()


def _why(lost: RoomLost) -> str:
    return (
        f"room {lost.room.room} failed {lost.attempt} times, which is no bot's fault: {lost.reason}\n"
        "Finished matches are stored; mend the host and run again to go on."
    )
