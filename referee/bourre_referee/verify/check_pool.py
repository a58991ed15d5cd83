"""Runs many checks at once, and yields their answers in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.match_check import Task

Given = TypeVar("Given")
Got = TypeVar("Got")

AHEAD = 4
"""How many tasks per process are queued or unread, which bounds the memory used."""


def mapped(work: Callable[[Given], Got], tasks: Iterable[Given], jobs: int) -> Generator[tuple[Given, Got], None, None]:
    """Yields each task with its result, in order, and raises what `work` raises; `work` must be importable.

    A BourreError of `tasks` itself is raised after the answers to the tasks before it.
    """
    if jobs == 1:
        yield from ((task, work(task)) for task in tasks)
        return
    # Fresh processes: a fork would copy the open database.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[Given, Future[Got]]] = deque()
        try:
            yield from _answers(waiting, _submit(pool, work, tasks), AHEAD * jobs)
        finally:
            for _, answer in waiting:
                answer.cancel()


def _submit(
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


def tasks(plan: Sequence[Place], kept: Iterable[StoredMatch], voids: Iterable[DiscardedMatch]) -> Iterator[Task]:
    """Yields a task per match of the schedule, in order; raises Difference for a match that is not in it."""
    void = _by_match(plan, voids)
    stored = iter(kept)
    coming = next(stored, None)
    for place in plan:
        here = coming if coming and coming.number == place.number else None
        if here:
            check(f"the match in place {place.number} of the schedule", here.match, place.match, place.match)
            coming = next(stored, None)
        yield Task(place, here, tuple(void.get(place.match, ())))
    if coming:
        raise Difference(f"{coming.match!r}, in place {coming.number}, has no place there in the schedule")


def _by_match(plan: Sequence[Place], voids: Iterable[DiscardedMatch]) -> dict[str, list[DiscardedMatch]]:
    by_match: dict[str, list[DiscardedMatch]] = {place.match: [] for place in plan}
    for void in voids:
        if void.match not in by_match:
            raise Difference(f"a playing of {void.match!r} is void, which has no place in the schedule")
        by_match[void.match].append(void)
    return by_match
