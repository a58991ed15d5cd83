"""Cache what is counted of bots in the records: count matches as they finish, and read no record twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.contest.stages import match_number
from bourre_referee.derived.counts_cache import counted_matches
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.statistics.match_counts import BotCounts, count_record
from bourre_referee.statistics.play_style import Style
from bourre_referee.statistics.rule_following import RuleFollowing
from bourre_referee.storage.process_pool import compute_in_process
from bourre_referee.storage.run import Run
from bourre_referee.storage.run_location import RunLocation
from bourre_referee.web.data.run_page import RunData

T = TypeVar("T")

AT_ONCE = 20
"""The most records counted while a visitor waits; more are counted in a process, and the page says so."""


@dataclass(frozen=True, slots=True)
class CountTask:
    """Matches in whose records something is to be counted."""

    place: RunLocation
    matches: Collection[str]
    cache: ResultCache


def count_matches(task: CountTask) -> BotCounts:
    """Count in these matches, in any order."""
    found = BotCounts()
    # The match's own page reports the error; here the matches from it on are left out.
    with suppress(BourreError):
        run = Run.open(task.place)
        numbers = sorted(map(match_number, task.matches))
        with closing(counted_matches(run, numbers, task.cache, jobs=1)) as counted:
            for match in counted:
                found += match.counts
    return found


class CachedCounts:
    """Counts styles of play and reneges; thread-safe: one thread counts at a time."""

    def __init__(self, cache: ResultCache = NOTHING_KEPT, at_once: int = AT_ONCE) -> None:
        self._cache = cache
        self._at_once = at_once
        self._lock = Lock()
        self._busy = False
        """Whether a process counts."""
        self._count = BotCounts()
        self._counted: dict[str, str] = {}

    def styles(self, run: Run, data: RunData) -> tuple[Style, ...] | None:
        """Return all bots' styles in the order of the standings; None while many records are uncounted."""
        return self._summary(run, data, lambda bots: self._count.style.summarise(bots))

    def rules(self, run: Run, data: RunData) -> tuple[RuleFollowing, ...] | None:
        """Return how all bots follow the rules, likewise."""
        return self._summary(run, data, lambda bots: self._count.rules.summarise(bots))

    def _summary(self, run: Run, data: RunData, summarise: Callable[[Sequence[str]], T]) -> T | None:
        with self._lock:
            if self._busy:
                return None
            now = {line.match: line.sha256 for line in data.matches}
            missing = self._missing(now)
            if len(missing) > self._at_once:
                self._busy = True
                Thread(target=self._count_in_process, args=(run, missing), daemon=True).start()
                return None
            self._count_records(run, missing)
            return summarise([row.bot for row in data.standings.rows])

    def _missing(self, now: dict[str, str]) -> dict[str, str]:
        if not self._counted.items() <= now.items():  # a match was voided
            self._count, self._counted = BotCounts(), {}
        return {match: sha256 for match, sha256 in now.items() if match not in self._counted}

    def _count_records(self, run: Run, missing: Mapping[str, str]) -> None:
        try:
            for match in missing:
                self._count += count_record(run.record(match))
                self._counted[match] = missing[match]
        except BourreError:
            # The match's own page reports the error; here the match is left out, and not read again.
            self._counted |= missing

    def _count_in_process(self, run: Run, missing: Mapping[str, str]) -> None:
        try:
            found = compute_in_process(count_matches, CountTask(run.place, [*missing], self._cache))
            with self._lock:
                self._count += found
                self._counted |= missing
        finally:
            self._busy = False
