"""Run many checks at once, and yield their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import ExpectedMatch
from bourre_referee.verify.match_check import Task

Input = TypeVar("Input")
Output = TypeVar("Output")

AHEAD = 4
"""How many tasks per process are queued or unread, which bounds the memory used."""


def map_in_order(
    work: Callable[[Input], Output], tasks: Iterable[Input], jobs: int
) -> Generator[tuple[Input, Output], None, None]:
    """Yield each task with its result, in order, and raise what `work` raises; `work` must be importable.

    A BourreError of `tasks` itself is raised after the results of the tasks before it.
    """
    if jobs == 1:
        yield from ((task, work(task)) for task in tasks)
        return
    # Fresh processes: a fork would copy the open database.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[Input, Future[Output]]] = deque()
        try:
            yield from _results(waiting, _submit(pool, work, tasks), AHEAD * jobs)
        finally:
            for _, future in waiting:
                future.cancel()


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[Input], Output], tasks: Iterable[Input]
) -> Iterator[tuple[Input, Future[Output]]]:
    return ((task, pool.submit(work, task)) for task in tasks)


def _results(
    waiting: deque[tuple[Input, Future[Output]]], submitted: Iterator[tuple[Input, Future[Output]]], most: int
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
        task, future = waiting.popleft()
        yield task, future.result()
    if failed:
        raise failed


def tasks_of(
    schedule: Sequence[ExpectedMatch], matches: Iterable[StoredMatch], voids: Iterable[DiscardedMatch]
) -> Iterator[Task]:
    """Yield a task per match of the schedule, in order; raises Difference for a match that is not in it."""
    discarded = _group_by_match(schedule, voids)
    remaining = iter(matches)
    following = next(remaining, None)
    for expected in schedule:
        stored = following if following and following.number == expected.number else None
        if stored:
            check(f"the match in place {expected.number} of the schedule", stored.match, expected.match, expected.match)
            following = next(remaining, None)
        yield Task(expected, stored, tuple(discarded[expected.match]))
    if following:
        raise Difference(
            f"{following.match!r} is stored in place {following.number}, but the schedule has no such match there"
        )


def _group_by_match(
    schedule: Sequence[ExpectedMatch], voids: Iterable[DiscardedMatch]
) -> dict[str, list[DiscardedMatch]]:
    by_match: dict[str, list[DiscardedMatch]] = {expected.match: [] for expected in schedule}
    for void in voids:
        if void.match not in by_match:
            raise Difference(f"an attempt at {void.match!r} was discarded, but the schedule has no such match")
        by_match[void.match].append(void)
    return by_match
