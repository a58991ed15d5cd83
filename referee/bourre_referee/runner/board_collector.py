"""Collects the boards of a match until all are played. Separate processes compute its luck."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import NamedTuple, Self

from bourre_referee.contest.duplicate import LuckTask, combine_boards, luck_task
from bourre_referee.luck import Baseline
from bourre_referee.model.spec import DuplicateBoard, MatchOutcome, MatchSpec
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.files.child_process import follow_parent
from bourre_referee.storage.files.process_pool import usable_cores

CORES_PER_PROCESS = 8
"""One process computes luck as fast as the rooms on this many cores play."""

Lucks = list[tuple[int, ...]]
MakePool = Callable[[], ProcessPoolExecutor]


class _Match(NamedTuple):
    """A match whose boards are all played."""

    bots: list[str]
    boards: list[tuple[MatchSpec, MatchOutcome]]
    task: LuckTask
    luck: Future[Lucks]


def make_pool() -> ProcessPoolExecutor:
    """Makes processes for luck. Each starts when it is first needed, and ends with this process."""
    processes = 1 + usable_cores() // CORES_PER_PROCESS
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=follow_parent)


class BoardCollector:
    """Collects boards until all boards of a match are played, and computes its luck.

    It returns matches in the order in which their last boards came. Only `wait` blocks.
    """

    def __init__(
        self,
        baseline: Baseline | None,
        make_pool: MakePool = make_pool,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`tell` reports processes that died."""
        self._baseline = baseline
        self._make_pool = make_pool
        self._tell = tell
        self._pool: ProcessPoolExecutor | None = None
        self._boards: defaultdict[str, list[tuple[MatchSpec, MatchOutcome]]] = defaultdict(list)
        self._computing: deque[_Match] = deque()

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
            self._computing.append(_Match(_bots(first, first.board), played, task, self._submit(task)))

    def finished(self) -> Iterator[MatchOutcome]:
        """Yields the matches whose boards are complete."""
        while self._computing and self._computing[0].luck.done():
            yield self._combine(self._computing.popleft())

    def wait(self) -> Iterator[MatchOutcome]:
        """Yields all matches whose boards were collected."""
        while self._computing:
            yield self._combine(self._computing.popleft())

    def _submit(self, task: LuckTask) -> Future[Lucks]:
        """Starts to compute luck. If no process can start, this one computes it later."""
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

    def _combine(self, match: _Match) -> MatchOutcome:
        try:
            lucks = match.luck.result()
        except BrokenProcessPool:  # it was killed, perhaps for lack of memory, but the match still counts
            self._tell("a process that computes luck died, so this one computes one match and others take over")
            lucks = match.task.compute()
        return combine_boards(match.bots, match.boards, lucks)


def _bots(spec: MatchSpec, board: DuplicateBoard) -> list[str]:
    """Lists the bots of a match by number."""
    return [spec.line_up[board.line_up.index(number)] for number in range(len(spec.line_up))]
