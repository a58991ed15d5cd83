"""Cache the document of `bourre stats --json`, made in a process of its own so that no other answer waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import NamedTuple

from bourre.rules.errors import BourreError
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.analysis import analysis_json
from bourre_referee.statistics.reported_usage import reported_usage
from bourre_referee.storage.kept_counts import CountsCache
from bourre_referee.storage.kept_ratings import RatingsCache
from bourre_referee.storage.process_pool import compute_in_process
from bourre_referee.storage.run_analysis import analyse_run
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.storage.run_place import RunPlace
from bourre_referee.web.rest import Rest


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A run to analyse, and where something may be kept of it."""

    place: RunPlace
    ratings: RatingsCache
    counts: CountsCache


class Document(NamedTuple):
    """A document, or why there is none."""

    tag: str
    """The state of the run for which it was made; it may have had a few more matches by then."""
    text: str
    trouble: str


def analyse_folder(task: AnalysisTask) -> tuple[str, str]:
    """Return the document, or why there is none."""
    try:
        run = RunFolder.open(task.place)
        table, analysis = analyse_run(run, task.ratings, task.counts, jobs=1)
        return analysis_json(table, analysis, reported_usage(table.rows, run.published_usage())), ""
    except BourreError as error:
        return "", str(error)


def start_thread(task: Callable[[], None]) -> None:
    """Run a task in the background."""
    Thread(target=task, daemon=True).start()


class CachedAnalysis:
    """Makes one document at a time; thread-safe."""

    def __init__(
        self,
        task: AnalysisTask,
        rest: float,
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[Callable[[], None]], None] = start_thread,
        analyse: Callable[[AnalysisTask], tuple[str, str]] = lambda task: compute_in_process(analyse_folder, task),
    ) -> None:
        """After making a document, wait `rest` times as long as that took, to leave the machine to the bots."""
        self._task = task
        self._rest = Rest(rest, clock)
        self._start = start
        self._analyse = analyse
        self._making = Lock()
        self._newest: Document | None = None

    def wait_for(self, tag: str) -> Document:
        """Return the document for the state with this tag, and wait until it is made; for runs that take seconds."""
        with self._making:
            if self._newest is None or self._newest.tag != tag:
                self._newest = self._make(tag)
            return self._newest

    def newest(self, tag: str) -> Document | None:
        """Return the newest document, or None if there is none yet; begin to make the one for the state with this tag.

        While that is made, and during the rest after it, the one before is returned.
        """
        current = self._newest is not None and self._newest.tag == tag
        if not current and self._rest.is_over and self._making.acquire(blocking=False):
            self._start(lambda: self._make_and_release(tag))
        return self._newest

    def _make_and_release(self, tag: str) -> None:
        try:
            with self._rest.after():
                self._newest = self._make(tag)
        finally:
            self._making.release()

    def _make(self, tag: str) -> Document:
        try:
            return Document(tag, *self._analyse(self._task))
        except ContestError as error:
            return Document(tag, "", str(error))
