"""Collects the boards of a match until all are played. Separate processes compute its luck."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from types import TracebackType
from typing import NamedTuple, Self

from bourre_referee.contest.duplicate import LuckTask, combine_boards, luck_task
from bourre_referee.luck import Baseline, LessonsInOrder, PlannedMatch, TaughtBoards
from bourre_referee.model.spec import DuplicateBoard, MatchOutcome, MatchSpec, RoomSpec
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.files.child_process import follow_parent
from bourre_referee.storage.files.process_pool import usable_cores

CORES_PER_PROCESS = 8
"""One process computes luck as fast as the rooms on this many cores play."""

Lucks = list[tuple[int, ...]]
MakePool = Callable[[], ProcessPoolExecutor]


class _Match(NamedTuple):
    """A match whose boards are all played."""

    planned: PlannedMatch
    boards: list[tuple[MatchSpec, MatchOutcome]]
    task: LuckTask


class _Computing(NamedTuple):
    """A match whose luck is being computed, with all that this takes."""

    match: _Match
    luck: Future[Lucks]


def make_pool() -> ProcessPoolExecutor:
    """Makes processes for luck. Each starts when it is first needed, and ends with this process."""
    processes = 1 + usable_cores() // CORES_PER_PROCESS
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=follow_parent)


class BoardCollector:
    """Collects boards until all boards of a match are played, and computes its luck.

    It returns matches in the order in which their last boards came, or in which the lessons that they begin with were
    complete. Only `wait` blocks.
    """

    def __init__(
        self,
        baseline: Baseline | None,
        make_pool: MakePool | None = make_pool,
        tell: Callable[[str], None] = lambda text: None,
        lessons: LessonsInOrder | None = None,
    ) -> None:
        """`tell` reports processes that died. `bot styles 2` needs `lessons`.

        Without `make_pool` this process computes luck, which is faster if a single match is played.
        """
        self._baseline = baseline
        self._lessons = lessons
        self._make_pool = make_pool
        self._tell = tell
        self._pool: ProcessPoolExecutor | None = None
        self._boards: defaultdict[str, list[tuple[MatchSpec, MatchOutcome]]] = defaultdict(list)
        self._waiting: list[_Match] = []
        """The matches that wait for lessons from earlier ones."""
        self._computing: deque[_Computing] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def collect(self, report: RoomPlayed) -> Iterator[MatchOutcome]:
        """Yields the matches of this room, unless they are boards: `finished` yields those."""
        first = report.room.matches[0]
        if first.board is None:
            yield from report.outcomes
            return
        boards = self._boards[first.match]
        boards.extend(zip(report.room.matches, report.outcomes, strict=True))
        if len(boards) == first.deals * len(first.line_up):
            played, task = self._boards.pop(first.match), luck_task(boards, self._baseline)
            planned = PlannedMatch(first.match, _bots(first, first.board))
            if self._lessons:
                self._lessons.hear(first.match, lambda: TaughtBoards(task.boards, task.house))
            self._waiting.append(_Match(planned, played, task))
            self._start()

    def _start(self) -> None:
        """Starts to compute the luck of all matches that can begin."""
        waiting, self._waiting = self._waiting, []
        for match in waiting:
            lessons = self._lessons.lessons(match.planned) if self._lessons else []
            if lessons is None:
                self._waiting.append(match)
            else:
                ready = match._replace(task=replace(match.task, lessons=tuple(lessons)))
                self._computing.append(_Computing(ready, self._submit(ready.task)))

    def finished(self) -> Iterator[MatchOutcome]:
        """Yields the matches whose boards are complete."""
        while self._computing and self._computing[0].luck.done():
            yield self._combine(self._computing.popleft())

    def wait(self) -> Iterator[MatchOutcome]:
        """Yields all matches whose boards were collected. The luck of those that wait for lessons is unknown."""
        while self._computing:
            yield self._combine(self._computing.popleft())
        waiting, self._waiting = self._waiting, []
        for match in waiting:
            yield combine_boards(match.planned.bots, match.boards, [])

    def _submit(self, task: LuckTask) -> Future[Lucks]:
        """Starts to compute luck. If no process can start, this one computes it later."""
        if self._make_pool is None:
            computed: Future[Lucks] = Future()
            computed.set_result(task.compute())
            return computed
        try:
            try:
                self._pool = self._pool or self._make_pool()
                return self._pool.submit(task.compute)
            except BrokenProcessPool:
                self._pool = self._make_pool()
                return self._pool.submit(task.compute)
        except (BrokenProcessPool, OSError) as error:
            failed: Future[Lucks] = Future()
            failed.set_exception(BrokenProcessPool(str(error)))
            return failed

    def _combine(self, computing: _Computing) -> MatchOutcome:
        match = computing.match
        try:
            lucks = computing.luck.result()
        except BrokenProcessPool:  # it was killed, perhaps for lack of memory, but the match still counts
            self._tell("a process that computes luck died, so this one computes one match and others take over")
            lucks = match.task.compute()
        return combine_boards(match.planned.bots, match.boards, lucks)


def planned_matches(rooms: Iterable[RoomSpec]) -> Iterator[PlannedMatch]:
    """Yields the duplicate matches of these rooms, in their order."""
    known = set[str]()
    for room in rooms:
        first = room.matches[0]
        if first.board and first.match not in known:
            known.add(first.match)
            yield PlannedMatch(first.match, _bots(first, first.board))


def _bots(spec: MatchSpec, board: DuplicateBoard) -> tuple[str, ...]:
    """Lists the bots of a match by number."""
    return tuple(spec.line_up[board.line_up.index(number)] for number in range(len(spec.line_up)))
