"""Caches a run folder for a server: adds new matches when its files change, and rates them in the background."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.derived.ratings_cache import load_rated, store_rated
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.derived.run_standings import rate_matches
from bourre_referee.model.errors import ContestError
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.storage.files.process_pool import compute_in_process
from bourre_referee.storage.files.wrong_folder import no_run
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation, place_of
from bourre_referee.web.background import Background, CachedDocument, Cooldown, Document, Start, start_thread
from bourre_referee.web.cached_analysis import AnalysisTask, analyse_folder, check_folder
from bourre_referee.web.data.growing_run import GrowingRun, group_voids, read_all
from bourre_referee.web.data.rating_histories import rate_in_process
from bourre_referee.web.data.run_page import RunData, rate_all, read_voids, run_data

T = TypeVar("T")

AT_ONCE = 300
"""The most matches of a run that are rated while a visitor waits. Larger runs are rated in the background."""

HISTORY_GROWTH = 1.25
"""Rating histories take long, so while a contest plays, they are recomputed only after this growth."""


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run at one moment."""

    tag: str
    """A tag that differs between states."""
    run: Run
    data: RunData


def tag_of(signature: str) -> str:
    """Returns a short tag for a state, as this version shows it."""
    return sha256(f"{version('bourre')} {signature}".encode()).hexdigest()[:16]


class Unreadable(BourreError):
    """The run cannot be read now. The message gives the reason and the fix, without the folder's path."""


class NotRevealed(BourreError):
    """Raised for cards that stay hidden until the seed is revealed."""


class CachedRun:
    """Caches one run folder. It is thread-safe: one thread reads at a time."""

    def __init__(
        self,
        place: Path | RunLocation,
        clock: Callable[[], float] = time.monotonic,
        rest: float = 4.0,
        start: Start = start_thread,
        cache: ResultCache = NOTHING_KEPT,
        cards_wait: bool = False,
    ) -> None:
        """Waits after each read for `rest` times its duration, to leave the machine to the bots.

        `start` runs a task in the background. The content of `cache` is shown until all matches have been read. With
        `cards_wait`, records and results from cards are public only once the seed is revealed.
        """
        self._cards_wait = cards_wait
        self._place = place_of(place)
        self._reading = RLock()
        self._reading_rest = Cooldown(rest, clock)
        self._signature: object = None
        self._state: RunState | None = None
        self._trouble = ""
        self.cache = cache
        task = AnalysisTask(self._place, cache)
        self._analysis = CachedDocument(partial(compute_in_process, analyse_folder, task), rest, clock, start)
        self._check = CachedDocument(partial(compute_in_process, check_folder, self._place), rest, clock, start)
        self._growing: GrowingRun | None = None
        self._background = Background(rest, clock, start)
        self._owed = False
        """Whether a task still has to run."""
        self._news = False
        """Whether a task has finished since the state was made."""

    def current(self) -> RunState:
        """Returns the newest state, or the last one during a pause or another thread's read. Raises Unreadable."""
        if self._reading.acquire(blocking=self._state is None):
            try:
                self._look()
            finally:
                self._reading.release()
        # Otherwise another thread is reading, and the last state is shown.
        if self._trouble or self._state is None:
            raise Unreadable(self._trouble)
        return self._state

    def _look(self) -> None:
        if self._reading_rest.is_over:
            signature = self._place.state()
            if signature != self._signature or self._is_due() or self._trouble or self._state is None:
                # The signature is from before the read, so later writes change it.
                self._signature = signature
                self._read(f"{signature}")

    def analysis(self) -> Document | None:
        """Returns the document of `bourre stats --json`. Raises Unreadable.

        For a large run, it may describe an earlier state, and is None until the first has been made.
        """
        self.check_cards(self.current())
        manifest = self.current().run.manifest
        tag = tag_of(f"stats {self._signature}")
        document = self._analysis.wait_for(tag) if manifest.matches <= AT_ONCE else self._analysis.newest(tag)
        if document and document.trouble:
            raise Unreadable(self._without_path(document.trouble))
        return document

    def check(self) -> Document | None:
        """Returns the output of `bourre verify` for a finished run, or None before there is one. Raises Unreadable."""
        if not self.current().run.manifest.complete:
            return None
        document = self._check.newest(tag_of(f"check {self._signature}"))
        if document and document.trouble:
            raise Unreadable(self._without_path(document.trouble))
        return document

    def cards_wait(self, state: RunState) -> bool:
        """Returns whether the cards of this state are still hidden."""
        return self._cards_wait and not state.run.shows_remarks

    def check_cards(self, state: RunState) -> None:
        """Raises NotRevealed if the cards of this state are still hidden."""
        if self.cards_wait(state):
            raise NotRevealed("cards, hands and notes are shown once the seed is revealed")

    def record(self, state: RunState, match: str) -> str:
        """Returns the record of a match that is finished in this state. Raises Unreadable and NotRevealed."""
        self.check_cards(state)
        return self.whole_record(state, match)

    def whole_record(self, state: RunState, match: str) -> str:
        """Returns the record even of hidden cards. The caller may show only the view of an onlooker."""
        return self._readable(lambda: state.run.record(match))

    def remarks(self, state: RunState, match: str) -> tuple[SeatRemarks, ...]:
        """Returns the bots' notes in a match, for readers who may see them. Raises Unreadable."""
        return self._readable(lambda: state.run.remarks(match))

    def noted_matches(self, state: RunState, bot: str) -> list[str]:
        """Returns the finished matches of this state in which this bot sent notes. Raises Unreadable."""
        shown = {line.match for line in state.data.matches}
        return [match for match in self._readable(lambda: state.run.noted_matches(bot)) if match in shown]

    def published_remarks(self, state: RunState, match: str) -> tuple[SeatRemarks, ...]:
        """Returns the public notes: none while the seed is secret. Raises Unreadable."""
        return self._readable(lambda: state.run.published_remarks(match))

    def _readable(self, look: Callable[[], T]) -> T:
        try:
            return look()
        except BourreError as error:
            raise Unreadable(self._without_path(error)) from error

    def _read(self, signature: str) -> None:
        trouble = ""  # other threads use the last state during the read
        try:
            with self._reading_rest.after():
                self._state = self._take_in(Run.open(self._place), signature)
        except BourreError as error:
            trouble = self._without_path(error)
        except OSError as error:
            trouble = f"{self.name}: {error.strerror}.\nhint: restore the run folder, or set its permissions"
        self._trouble = trouble

    def _is_due(self) -> bool:
        """Returns whether the background has news, or time for the remaining task."""
        return self._news or (self._owed and self._background.is_free)

    def _take_in(self, run: Run, signature: str) -> RunState:
        """Adds the news. A visitor waits only for the first read of all, and for that of a small run."""
        self._news = self._owed = False
        growing, voids = self._growing or self._resume(run), read_voids(run)
        new = growing.find_new(run, group_voids(voids)) if growing else None
        if growing is not None and new is not None:
            growing.take(new, group_voids(voids))
            self._growing = growing
        elif growing is None or len(growing.numbers) <= AT_ONCE:
            growing = self._growing = read_all(run, group_voids(voids))
        else:
            self._run_in_background(lambda: self._begin_anew(run))
        self._rate(growing, run)
        rated = f"{growing.rated} {growing.histories.rated if growing.histories else 0}"
        return RunState(tag_of(f"{signature} {rated}"), run, run_data(run, growing, voids))

    def _resume(self, run: Run) -> GrowingRun | None:
        kept = load_rated(self.cache, run)
        return GrowingRun.resume(run, kept) if kept else None

    def _rate(self, growing: GrowingRun, run: Run) -> None:
        """Rates all matches, if there are new ones, now or in the background."""
        if not growing.whole:
            self._run_in_background(lambda: self._begin_anew(run))
            return
        matches, histories = len(growing.results), growing.histories
        if matches <= AT_ONCE:
            if histories is None or growing.rated < matches:
                rate_all(run, growing)
            return
        if not growing.rated:
            self._rate_at_once(growing, run)
        if growing.rated < matches:
            self._run_in_background(lambda: self._rate_at_once(growing, run))
        began_with = histories.began_with if histories else 0
        if began_with < matches and (run.manifest.complete or began_with * HISTORY_GROWTH < matches):
            self._run_in_background(lambda: self._rate_in_order(growing, run))

    def _rate_at_once(self, growing: GrowingRun, run: Run) -> None:
        with self._reading:
            results = list(growing.results)
        ratings = rate_matches(run.manifest, results)
        with self._reading:
            growing.ratings, growing.rated = ratings, len(results)
            store_rated(self.cache, run, growing.rated_run())

    def _rate_in_order(self, growing: GrowingRun, run: Run) -> None:
        with self._reading:
            numbers, matches = list(growing.numbers), growing.to_be_rated(run)
        histories = rate_in_process(matches)
        if histories:
            with self._reading:
                growing.adopt(histories, numbers)

    def _begin_anew(self, run: Run) -> None:
        growing = read_all(run, group_voids(read_voids(run)))
        self._rate_at_once(growing, run)
        with self._reading:
            self._growing = growing

    def _run_in_background(self, task: Callable[[], None]) -> None:
        """Runs a task, unless another runs or the pause after one lasts. A later read starts the remaining task."""
        self._owed = not self._background.begin(lambda: self._finish(task))

    def _finish(self, task: Callable[[], None]) -> None:
        try:
            task()
        except BourreError:
            self._growing, self.cache = None, NOTHING_KEPT  # so that the next read reports the error
        finally:
            self._news = True

    def _without_path(self, error: BourreError | str) -> str:
        """Removes the path of the folder, which visitors must not see."""
        return str(error).replace(str(self._place), self.name)

    @property
    def name(self) -> str:
        """The public name of the run's place."""
        return self._place.folder.name if self._place.folder else "the database"


def open_run(place: Path | RunLocation, cache: ResultCache = NOTHING_KEPT) -> CachedRun:
    """Opens the run in this folder or place and reads it once. Raises ContestError if it is missing or damaged."""
    found = place_of(place)
    if isinstance(found, FolderLocation):
        if not found.folder.is_dir():
            raise no_run(found.folder)
        found = FolderLocation(found.folder.absolute())
    cached = CachedRun(found, cache=cache)
    try:
        cached.current()
    except Unreadable as error:
        raise ContestError(str(error).replace(cached.name, str(place), 1)) from error
    return cached
