"""Many checks at once, their answers in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from bourre.rules.errors import BourreError

Given = TypeVar("Given")
Got = TypeVar("Got")

AHEAD = 4
"""Tasks for each process that wait, or whose answers do: so much is in memory at once."""


def mapped(work: Callable[[Given], Got], tasks: Iterable[Given], jobs: int) -> Generator[tuple[Given, Got], None, None]:
    """Each task with what `work`, a function that can be imported, makes of it, in order; raises what it raises.

    Where `tasks` itself raises a BourreError, that comes after the answers to the tasks before.
    """
    if jobs == 1:
        yield from ((task, work(task)) for task in tasks)
        return
    # Fresh processes: a fork would copy the open database.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[Given, Future[Got]]] = deque()
        try:
            yield from _answers(waiting, _submitted(pool, work, tasks), AHEAD * jobs)
        finally:
            for _, answer in waiting:
                answer.cancel()


def _submitted(
    pool: ProcessPoolExecutor, work: Callable[[Given], Got], tasks: Iterable[Given]
) -> Iterator[tuple[Given, Future[Got]]]:
    return ((task, pool.submit(work, task)) for task in tasks)


def _answers(
    waiting: deque[tuple[Given, Future[Got]]], submitted: Iterator[tuple[Given, Future[Got]]], most: int
) -> Iterator[tuple[Given, Got]]:
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
        task, answer = waiting.popleft()
        yield task, answer.result()
    if failed:
        raise failed
