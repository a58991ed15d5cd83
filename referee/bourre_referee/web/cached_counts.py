"""Cache the bots' styles of play: count matches as they finish, and read no record twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread

from bourre.rules.errors import BourreError
from bourre_referee.contest.stages import match_number
from bourre_referee.statistics.match_counts import count_record
from bourre_referee.statistics.play_style import Style, StyleCounter
from bourre_referee.storage.kept_counts import NO_COUNTS_KEPT, CountsCache, counted_matches
from bourre_referee.storage.process_pool import compute_in_process
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.data.run_page import RunData

AT_ONCE = 20
"""The most records counted while a visitor waits; more are counted in a process, and the page says so."""


@dataclass(frozen=True, slots=True)
class StyleTask:
    """Matches in whose records styles are to be counted."""

    folder: Path
    matches: Collection[str]
    counts: CountsCache


def count_styles(task: StyleTask) -> StyleCounter:
    """Count the styles in these matches, in any order."""
    styles = StyleCounter()
    # The match's own page reports the error; here the matches from it on are left out.
    with suppress(BourreError):
        run = RunFolder.open(task.folder)
        numbers = sorted(map(match_number, task.matches))
        with closing(counted_matches(run, numbers, task.counts, jobs=1)) as counted:
            for match in counted:
                styles += match.counts.style
    return styles


class CachedStyles:
    """Counts styles; thread-safe: one thread counts at a time."""

    def __init__(self, counts: CountsCache = NO_COUNTS_KEPT, at_once: int = AT_ONCE) -> None:
        self._counts = counts
        self._at_once = at_once
        self._counting = Lock()
        self._count = StyleCounter()
        self._counted: dict[str, str] = {}

    def styles(self, run: RunFolder, data: RunData) -> tuple[Style, ...] | None:
        """Return all bots' styles in the order of the standings; None while many records are uncounted."""
        if not self._counting.acquire(blocking=False):
            return None
        now = {line.match: line.sha256 for line in data.matches}
        missing = self._missing(now)
        if len(missing) > self._at_once:
            Thread(target=self._count_in_process, args=(run, missing), daemon=True).start()  # releases the lock
            return None
        self._count_records(run, missing)
        return self._count.summarise([row.bot for row in data.standings.rows])

    def _missing(self, now: dict[str, str]) -> dict[str, str]:
        if not self._counted.items() <= now.items():  # a match was voided
            self._count, self._counted = StyleCounter(), {}
        return {match: sha256 for match, sha256 in now.items() if match not in self._counted}

    def _count_records(self, run: RunFolder, missing: Mapping[str, str]) -> None:
        try:
            for match in missing:
                self._count += count_record(run.record(match)).style
                self._counted[match] = missing[match]
        except BourreError:
            # The match's own page reports the error; here the match is left out, and not read again.
            self._counted |= missing
        finally:
            self._counting.release()

    def _count_in_process(self, run: RunFolder, missing: Mapping[str, str]) -> None:
        try:
            self._count += compute_in_process(count_styles, StyleTask(run.path, [*missing], self._counts))
            self._counted |= missing
        finally:
            self._counting.release()
