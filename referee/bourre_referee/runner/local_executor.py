"""Plays rooms in worker processes on this machine, and with remote bots: the default."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self

from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner import worker_handle as process
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.room_reports import PlayRoom, Report, RoomPlayed, RoomTask, WorkerNews
from bourre_referee.runner.room_reports import play_room as play_at
from bourre_referee.runner.worker_handle import Worker
from bourre_referee.runner.worker_main import Alive, Failed, Played, work


def local_rooms(jobs: int, play_room: PlayRoom | None = None) -> MakeExecutor:
    """Plays rooms on this machine, at most `jobs` at a time; `play_room` is another way to play than the referee's."""
    return lambda place: LocalExecutor(jobs, place, play_room or partial(play_at, site=place.site))


class LocalExecutor:
    """Plays rooms (see `Executor`) inside a `with` block, each in a process; when it is left, the workers are gone.

    After a room that fails, or whose worker dies or hangs, a fresh worker takes over.
    """

    def __init__(self, jobs: int, place: Workplace, play_room: PlayRoom) -> None:
        """At most `jobs` rooms are played at a time; those at the door with nobody but remote bots do not count."""
        if jobs < 1:
            raise ValueError(f"{jobs} jobs play nothing: give 1 or more")
        self._jobs = jobs
        self._hire = partial(Worker, partial(work, play_room=play_room), place.environment)
        self._stops = [place.stop.fileno()] if place.stop else []
        self._door = place.door
        self._brief = place.brief
        self._waiting: deque[RoomTask] = deque()
        self._workers: dict[Worker, RoomTask | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in self._workers:
            worker.release()
        for worker in self._workers:
            worker.stop()

    def submit(self, room: RoomSpec) -> None:
        """Queues a room (see `Executor`)."""
        if self._door and remote_bots(room):
            self._door.submit(room)
        else:
            self._waiting.append(RoomTask(room))

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""
        return bool(self._waiting or self._playing) or (self._door is not None and self._door.busy)

    @property
    def free(self) -> int:
        """How many more rooms could begin without waiting (see `Executor`)."""
        taken = self._playing + len(self._waiting) + (self._door.jobs + self._door.wanted if self._door else 0)
        return max(0, self._jobs - taken)

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play, at the door too."""
        here = tuple(task.room for task in self._workers.values() if task)
        return here + (self._door.in_play if self._door else ())

    @property
    def summary(self) -> tuple[str, ...]:
        """Nothing: all was done here."""
        return ()

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Begins what may begin, and waits for reports (see `Executor`); the host must be able to start workers."""
        self._begin(may_hire=True)
        reports = self._reports_of(self._wait(timeout))
        # Keeps the workers busy while the caller stores these results; an error would lose them, so it hires nobody.
        self._begin(may_hire=False)
        return reports

    @property
    def _playing(self) -> int:
        return sum(task is not None for task in self._workers.values())

    def _begin(self, *, may_hire: bool) -> None:
        """Gives rooms to the door and to idle workers, and starts new workers up to the limit."""
        if self._door:
            self._door.hand_out(self._jobs - self._playing, len(self._waiting), self._brief)
        free = self._jobs - self._playing - (self._door.jobs if self._door else 0)
        idle = [worker for worker, task in self._workers.items() if task is None]
        while self._waiting and free > 0 and (idle or may_hire):
            worker = idle.pop() if idle else self._start_worker()
            task = self._workers[worker] = self._waiting.popleft()
            worker.give(self._brief(task.room))
            free -= 1

    def _start_worker(self) -> Worker:
        try:
            return self._hire()
        except OSError as error:
            raise ContestFailed(
                f"a worker process cannot be started ({error.strerror}): give fewer --jobs, or end other programs\n"
                "Finished matches are stored; run again to go on."
            ) from error

    def _wait(self, timeout: float | None) -> list[object]:
        """Waits until a worker or the door answers or dies, or a beat is over; returns the pipes that can be read."""
        door = [self._door.pipe] if self._door else []
        pipes = [worker.pipe for worker in self._workers]
        seconds = process.BEAT_S if timeout is None else min(timeout, process.BEAT_S)
        ready: list[object] = [*wait([*pipes, *door, *self._stops], seconds)]
        if any(stop in ready for stop in self._stops):
            raise KeyboardInterrupt
        return ready

    def _reports_of(self, ready: Sequence[object]) -> list[Report]:
        """Returns what those report whose pipes can be read, and which of the others hang."""
        answering = [worker for worker in self._workers if worker.pipe in ready]
        reports: list[Report | None] = [self._report(worker) for worker in answering]
        reports += [self._discard(worker, _HUNG) for worker in set(self._workers) - set(answering) if worker.hangs()]
        if self._door:
            reports += self._door.reports(self._door.pipe in ready)
        return [report for report in reports if report]

    def _report(self, worker: Worker) -> Report | None:
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

    def _discard(self, worker: Worker, failed: Failed | None) -> Report:
        """Ends a worker that failed, which is not trusted with another room, and queues its room again."""
        task = self._workers.pop(worker)
        worker.release()
        if failed is _HUNG:
            worker.kill()
        worker.stop()
        reason = failed.reason if failed else worker.describe_death()
        if task is None:
            return WorkerNews(f"{reason}: the next room gets another one")
        report, again = task.lost(reason)
        if again:
            self._waiting.appendleft(again)
        return report


_HUNG = Failed(f"the worker process hung: it gave no sign of life for {process.BEAT_S * process.BEATS:.0f} s")
