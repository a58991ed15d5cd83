"""Many checks at once, their answers in order."""

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


def tasks(plan: Sequence[Place], kept: Iterable[StoredMatch], voids: Iterable[DiscardedMatch]) -> Iterator[Task]:
    """A task for every place of the schedule, in its order; Difference where something has no place there."""
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
