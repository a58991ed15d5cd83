"""Processes many matches in several processes, and yields the results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from time import monotonic
from types import TracebackType
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.child_process import Restarts, follow_parent, how_it_ended
from bourre_referee.storage.files.waiting import Waiting

Input = TypeVar("Input")
Output = TypeVar("Output")
Inputs = ParamSpec("Inputs")

TOGETHER = 8
"""The number of tasks in one message to a process, because sending a short task takes longer than the task."""
AHEAD = 2
"""The number of messages per process that are queued or unread, which limits the memory."""

DEALS_PER_PROCESS = 2_000
"""Replaying fewer deals is faster than starting a second process."""


def usable_cores() -> int:
    """Counts the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worthwhile_jobs(deals: int) -> int:
    """Returns the number of processes: one per core, but only as many as have enough deals."""
    return max(1, min(usable_cores(), deals // DEALS_PER_PROCESS))


def map_in_order(
    work: Callable[[Input], Output], tasks: Iterable[Input], jobs: int
) -> Generator[tuple[Input, Output], None, None]:
    """Yields each task with its result, in order, and raises the errors of `work`, which must be importable.

    It raises a BourreError of `tasks` itself after the results of the tasks before it. Close the generator to end
    early (`contextlib.closing`), which also ends the processes.
    """
    if jobs == 1:
        yield from ((task, work(task)) for task in tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=forks_of(work.__module__), initializer=follow_parent) as pool:
        waiting: deque[_Chunk[Input, Output]] = deque()
        try:
            yield from _results(waiting, _submit(pool, work, tasks), AHEAD * jobs)
        except BrokenProcessPool as error:
            raise ContestError(
                "a process died while it replayed matches, perhaps for lack of memory.\nhint: use fewer --jobs"
            ) from error
        finally:
            for chunk in waiting:
                chunk.future.cancel()


def forks_of(*modules: str) -> ForkServerContext:
    """Returns processes that are forks of one that has imported these modules: an import takes longer than a chunk.

    They are no forks of this process, whose open database they would copy.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", *modules])
    return context


class ProcessDied(ContestError):
    """A process died while it computed, or could not be started."""

    def __init__(self, how: str) -> None:
        super().__init__(f"a process {how} while it computed, perhaps for lack of memory.\nhint: run again")
        self.how = how
        """As in `was killed by SIGKILL`."""


def compute_in_process(
    work: Callable[[Input], Output],
    task: Input,
    tell: Callable[[BaseProcess], None] = lambda process: None,
    context: ForkServerContext | None = None,
) -> Output:
    """Returns `work(task)`, computed in a separate process. `work` must be importable, and must not raise.

    `tell` gets the process. It ends with this one. In a `context`, it can have children of its own. Raises ProcessDied
    if it dies, perhaps for lack of memory.
    """
    processes = context or get_context("spawn")  # a fork of this one would copy the open database
    ours, theirs = processes.Pipe(duplex=False)
    process = processes.Process(target=_send_result, args=(theirs, work, task), daemon=context is None)
    with ours:
        try:
            with theirs:
                process.start()
                tell(process)
        except OSError as error:
            raise ProcessDied(f"could not be started ({error.strerror})") from error
        try:
            found: Output = ours.recv()
        except (EOFError, OSError) as error:  # OSError if it died while it sent the result
            process.join()
            raise ProcessDied(how_it_ended(process.exitcode or 0)) from error
    process.join()
    return found


def _send_result(pipe: Connection, work: Callable[[Input], Output], task: Input) -> None:
    follow_parent()
    with pipe:
        pipe.send(work(task))


class TendedExecutor(ThreadPoolExecutor):
    """Runs one task after another, each in a separate process. If a process dies, it reports that and retries.

    The end of its `with` block kills the process, and fails the tasks that are left.
    """

    def __init__(self, name: str, patience: Waiting) -> None:
        """It waits with `patience` between two processes. If the wait is stopped, the task fails with ProcessDied."""
        super().__init__(1)
        self._restarts = Restarts(name, patience.tell)
        self._patience = patience
        self._process: BaseProcess | None = None
        self._is_over = False

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._is_over = True
        if self._process:
            self._process.kill()
        self.shutdown(cancel_futures=True)

    def submit(self, work: Callable[Inputs, Output], /, *args: Inputs.args, **named: Inputs.kwargs) -> Future[Output]:
        """Queues a task. `work` must be importable, and must not raise."""
        return super().submit(self._compute, partial(work, *args, **named))

    def _compute(self, task: Callable[[], Output]) -> Output:
        while True:
            began = monotonic()
            try:
                return compute_in_process(_call, task, self._note)
            except ProcessDied as died:
                if self._is_over or not self._patience.wait(self._restarts.delay(died.how, monotonic() - began)):
                    raise

    def _note(self, process: BaseProcess) -> None:
        """Stores the process of a task, and kills it if the block has ended meanwhile."""
        self._process = process
        if self._is_over:
            process.kill()


def _call(task: Callable[[], Output]) -> Output:
    return task()


class _Done(NamedTuple, Generic[Output]):
    """The results of a chunk, up to the task that failed."""

    results: list[Output]
    error: BourreError | None


class _Chunk(NamedTuple, Generic[Input, Output]):
    tasks: list[Input]
    future: Future[_Done[Output]]


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[Input], Output], tasks: Iterable[Input]
) -> Iterator[_Chunk[Input, Output]]:
    return (_Chunk(chunk, pool.submit(_work_on, work, chunk)) for chunk in _chunks(tasks))


def _chunks(tasks: Iterable[Input]) -> Iterator[list[Input]]:
    """Yields the tasks in chunks. It raises a BourreError of `tasks` after the tasks before it."""
    chunk: list[Input] = []
    failed: BourreError | None = None
    try:
        for task in tasks:
            chunk.append(task)
            if len(chunk) == TOGETHER:
                yield chunk
                chunk = []
    except BourreError as error:
        failed = error
    if chunk:
        yield chunk
    if failed:
        raise failed


def _work_on(work: Callable[[Input], Output], tasks: list[Input]) -> _Done[Output]:
    done: _Done[Output] = _Done([], None)
    for task in tasks:
        try:
            done.results.append(work(task))
        except BourreError as error:
            return done._replace(error=error)
    return done


def _results(
    waiting: deque[_Chunk[Input, Output]], submitted: Iterator[_Chunk[Input, Output]], most: int
) -> Iterator[tuple[Input, Output]]:
    failed: BourreError | None = None
    while waiting or not failed:
        try:
            while not failed and len(waiting) < most:
                waiting.append(next(submitted))
        except BourreError as error:
            failed = error
        except StopIteration:
            most = 0
        if not waiting:
            break
        chunk = waiting.popleft()
        done = chunk.future.result()
        yield from zip(chunk.tasks, done.results, strict=False)
        if done.error:
            raise done.error
    if failed:
        raise failed
