"""Add up what is found in the records of a run as its matches finish: no record is read twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

from bourre_referee.contest.stages import match_number
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.process_pool import compute_in_process
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.web.background import Cooldown, Start, start_thread

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class RecordTask:
    """Matches whose records are to be read, and where something may have been kept of them."""

    place: RunLocation
    numbers: Sequence[int]
    cache: ResultCache = NOTHING_KEPT


@dataclass(frozen=True, slots=True)
class Adding(Generic[S]):
    """How something is found and added up."""

    find: Callable[[RecordTask], S]
    """Finds it in some matches; importable, because a process runs it for many."""
    nothing: Callable[[], S]
    """Returns what is found in no match."""
    join: Callable[[S, S], S]
    """Adds one to the other, in any order."""


class RecordSums(Generic[S]):
    """The sum over the matches that were looked into. Whoever calls `look`, or uses what it found, holds `lock`."""

    def __init__(
        self,
        adding: Adding[S],
        at_once: int,
        cache: ResultCache = NOTHING_KEPT,
        rest: float = 4.0,
        start: Start = start_thread,
    ) -> None:
        """More than `at_once` matches are looked into in the background, which rests as a `Cooldown` says."""
        self.lock = Lock()
        self.found = adding.nothing()
        self.known: dict[str, str] = {}
        """The hash of the record of each match that was looked into, by its id."""
        self._adding = adding
        self._at_once = at_once
        self._cache = cache
        self._start = start
        self._cooldown = Cooldown(rest, time.monotonic)
        self._busy = False

    def look(self, place: RunLocation, records: Mapping[str, str]) -> bool:
        """Look into those matches that are new, by id with the hash of their records; return whether all are known."""
        if self._busy:
            return False
        if not self.known.items() <= records.items():  # a match was voided
            self.found, self.known = self._adding.nothing(), {}
        missing = {match: sha256 for match, sha256 in records.items() if match not in self.known}
        numbers = sorted(map(match_number, missing))
        if len(missing) <= self._at_once:
            if missing:
                self._take(missing, self._adding.find(RecordTask(place, numbers)))
            return True
        if self._cooldown.is_over:
            self._busy = True
            self._start(partial(self._look_in_background, missing, RecordTask(place, numbers, self._cache)))
        return False

    def _look_in_background(self, missing: Mapping[str, str], task: RecordTask) -> None:
        try:
            with self._cooldown.after():
                found = compute_in_process(self._adding.find, task)
            with self.lock:
                self._take(missing, found)
        except ContestError:
            return  # the process died: a later look starts another
        finally:
            self._busy = False

    def _take(self, missing: Mapping[str, str], found: S) -> None:
        self.found = self._adding.join(self.found, found)
        self.known |= missing
