"""Tasks that take minutes, each in a process of its own, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from threading import get_ident
from typing import Generic, TypeVar

from bourre_referee.storage.files.process_pool import ProcessDied, compute_in_process

Input = TypeVar("Input")
Output = TypeVar("Output")


def do_in_parallel(
    work: Callable[[Input], Output], tasks: Sequence[Input], jobs: int, context: ForkServerContext
) -> Generator[tuple[Input, Output | ProcessDied], None, None]:
    """Yields each task with its result, in order. `work` must be importable, and must not raise.

    Each task has a process of its own, so that one which dies costs no other task its result. Close the generator to
    end early (`contextlib.closing`): the processes get SIGTERM, and it waits for their ends.
    """
    processes = _Processes(work, context)
    with ThreadPoolExecutor(jobs) as threads:
        results = [threads.submit(processes.compute, task) for task in tasks]
        try:
            for task, result in zip(tasks, results, strict=True):
                yield task, result.result()
        finally:
            for result in results:
                result.cancel()
            processes.end()


class _Processes(Generic[Input, Output]):
    """The processes at work, at most one for each thread."""

    def __init__(self, work: Callable[[Input], Output], context: ForkServerContext) -> None:
        self._work = work
        self._context = context
        self._latest: dict[int, BaseProcess] = {}
        self._is_over = False

    def compute(self, task: Input) -> Output | ProcessDied:
        """Computes a result in another process, and waits for it."""
        try:
            return compute_in_process(self._work, task, self._note, self._context)
        except ProcessDied as died:
            return died

    def _note(self, process: BaseProcess) -> None:
        self._latest[get_ident()] = process
        if self._is_over:
            process.terminate()

    def end(self) -> None:
        """Ends all processes, also one that a thread is about to start."""
        self._is_over = True
        for process in tuple(self._latest.values()):
            process.terminate()
