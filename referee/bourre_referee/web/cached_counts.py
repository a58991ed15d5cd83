"""Cache what is counted of bots in the records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from operator import iadd
from typing import TypeVar

from bourre.rules.errors import BourreError
from bourre_referee.derived.counts_cache import counted_matches
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.statistics.match_counts import BotCounts
from bourre_referee.statistics.play_style import Style
from bourre_referee.statistics.rule_following import RuleFollowing
from bourre_referee.storage.run.run import Run
from bourre_referee.web.background import Start, start_thread
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.record_sums import Adding, RecordSums, RecordTask

T = TypeVar("T")

AT_ONCE = 20
"""The most records counted while a visitor waits; more are counted in a process, and the page says so."""


def count_matches(task: RecordTask) -> BotCounts:
    """Count in these matches, in any order."""
    found = BotCounts()
    # The match's own page reports the error; here the matches from it on are left out.
    with suppress(BourreError):
        run = Run.open(task.place)
        with closing(counted_matches(run, task.numbers, task.cache, jobs=1)) as counted:
            for match in counted:
                found += match.counts
    return found


class CachedCounts:
    """Counts styles of play and reneges; thread-safe: one thread counts at a time."""

    def __init__(
        self,
        cache: ResultCache = NOTHING_KEPT,
        at_once: int = AT_ONCE,
        rest: float = 4.0,
        start: Start = start_thread,
    ) -> None:
        self._sums = RecordSums(Adding(count_matches, BotCounts, iadd), at_once, cache, rest, start)

    def styles(self, run: Run, data: RunData) -> tuple[Style, ...] | None:
        """Return all bots' styles in the order of the standings; None while many records are uncounted."""
        return self._summary(run, data, lambda counts, bots: counts.style.summarise(bots))

    def rules(self, run: Run, data: RunData) -> tuple[RuleFollowing, ...] | None:
        """Return how all bots follow the rules; None while many records are uncounted."""
        return self._summary(run, data, lambda counts, bots: counts.rules.summarise(bots))

    def _summary(self, run: Run, data: RunData, summarise: Callable[[BotCounts, Sequence[str]], T]) -> T | None:
        with self._sums.lock:
            if not self._sums.look(run.place, {line.match: line.sha256 for line in data.matches}):
                return None
            return summarise(self._sums.found, [row.bot for row in data.standings.rows])
