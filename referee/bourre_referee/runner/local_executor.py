"""Plays rooms in worker processes on this machine, including rooms with remote bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self

from bourre_referee.model.errors import GO_ON, ContestFailed
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.room_reports import Report, RoomTask, WorkerLoad, WorkerNews
from bourre_referee.runner.worker import BEAT_S, BEATS, Alive, Failed, Played, PlayRoom, Worker, work
from bourre_referee.runner.worker import play_room as play_at


def local_rooms(jobs: int, play_room: PlayRoom | None = None) -> MakeExecutor:
    """Plays rooms on this machine, at most `jobs` at a time. `play_room` replaces the referee's function."""
    return partial(_make, jobs, play_room)


def _make(jobs: int, play_room: PlayRoom | None, place: Workplace) -> LocalExecutor:
    return LocalExecutor(jobs, place, play_room or partial(play_at, site=place.site))


class LocalExecutor:
    """Plays rooms (see `Executor`) inside a `with` block, each in a worker process. The block's end ends the workers.

    If a room fails, or its worker dies or hangs, a new worker takes over.
    """

    def __init__(self, jobs: int, place: Workplace, play_room: PlayRoom) -> None:
        """At most `jobs` rooms are played at a time. Rooms with only remote bots do not count."""
        if jobs < 1:
            raise ValueError(f"--jobs {jobs}: must be 1 or more")
        self._jobs = jobs
        self._hire = partial(Worker, partial(work, play_room=play_room), place.environment)
        self._stop = place.stop
        self._remote = place.remote
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
        if self._remote and remote_bots(room):
            self._remote.submit(room)
        else:
            self._waiting.append(RoomTask(room))

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""
        return bool(self._waiting or self._playing) or (self._remote is not None and self._remote.busy)

    @property
    def free(self) -> int:
        """The number of rooms that could begin at once (see `Executor`)."""
        if self._stop and self._stop.asked:
            return 0
        taken = self._playing + len(self._waiting) + (self._remote.jobs + self._remote.wanted if self._remote else 0)
        return max(0, self._jobs - taken)

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play, including those with remote bots."""
        here = tuple(task.room for task in self._workers.values() if task)
        return here + (self._remote.in_play if self._remote else ())

    @property
    def load(self) -> tuple[WorkerLoad, ...]:
        """The work of this machine's processes together, and of the listener."""
        here = WorkerLoad("this machine", self._jobs, self._playing, len(self._waiting))
        return (here, self._remote.load) if self._remote else (here,)

    @property
    def summary(self) -> tuple[str, ...]:
        """No lines, because this is the only host."""
        return ()

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Starts rooms, and waits for reports (see `Executor`). Raises ContestFailed if no worker can start."""
        self._begin(may_hire=True)
        reports = self._reports_of(self._wait(timeout))
        # Workers continue while the caller stores these results. Starting a worker could fail and lose them.
        self._begin(may_hire=False)
        return reports

    @property
    def _playing(self) -> int:
        return sum(task is not None for task in self._workers.values())

    def _begin(self, *, may_hire: bool) -> None:
        """Gives rooms to the listener and to idle workers, and starts workers up to the limit."""
        if self._stop and self._stop.asked:
            return
        if self._remote:
            self._remote.hand_out(self._jobs - self._playing, len(self._waiting), self._brief)
        free = self._jobs - self._playing - (self._remote.jobs if self._remote else 0)
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
                f"Cannot start a worker process: {error.strerror}.\n"
                f"hint: use fewer --jobs, or end other programs\n{GO_ON}"
            ) from error

    def _wait(self, timeout: float | None) -> list[object]:
        """Waits until a worker or the listener answers or dies, at most a beat. Returns the readable pipes."""
        listener = [self._remote.pipe] if self._remote else []
        pipes = [worker.pipe for worker in self._workers]
        seconds = BEAT_S if timeout is None else min(timeout, BEAT_S)
        stops = [self._stop.fileno()] if self._stop else []
        ready: list[object] = [*wait([*pipes, *listener, *stops], seconds)]
        if self._stop:
            self._stop.heed(in_play=bool(self.in_play))
        return ready

    def _reports_of(self, ready: Sequence[object]) -> list[Report]:
        """Returns the reports from readable pipes, and of workers that hang."""
        answering = [worker for worker in self._workers if worker.pipe in ready]
        reports: list[Report | None] = [self._report(worker) for worker in answering]
        reports += [self._discard(worker, _HUNG) for worker in set(self._workers) - set(answering) if worker.hangs()]
        if self._remote:
            reports += self._remote.reports(self._remote.pipe in ready)
        return [report for report in reports if report]

    def _report(self, worker: Worker) -> Report | None:
        answer = worker.answer()
        if isinstance(answer, Played):
            task, self._workers[worker] = self._workers[worker], None
            return self._take(task, answer.outcomes) if task else None
        if isinstance(answer, Alive):
            return None
        return self._discard(worker, answer if isinstance(answer, Failed) else None)

    def _take(self, task: RoomTask, outcomes: tuple[MatchOutcome, ...]) -> Report:
        """Queues the matches that a room left unplayed, or that are void."""
        report, left = task.played(outcomes)
        if left:
            self._waiting.appendleft(left)
        return report

    def _discard(self, worker: Worker, failed: Failed | None) -> Report:
        """Ends a worker that failed, and queues its room again."""
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


_HUNG = Failed(f"the worker process hung: it gave no sign of life for {BEAT_S * BEATS:.0f} s")
