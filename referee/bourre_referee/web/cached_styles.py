"""Cache the bots' styles of play: count matches as they finish, and read no record twice."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from threading import Lock, Thread

from bourre.record import read
from bourre.rules.errors import BourreError
from bourre_referee.statistics.play_style import Style, StyleCounter
from bourre_referee.statistics.played_deals import replay_deals
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.data.run_page import RunData

AT_ONCE = 20
"""The most records counted while a visitor waits; more are counted in a thread, and the page says so."""


class CachedStyles:
    """Counts styles; thread-safe: one thread counts at a time."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
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
            Thread(target=self._count_records, args=(run, missing), daemon=True).start()  # releases the lock
            return None
        self._count_records(run, missing)
        return self._count.summarise([row.bot for row in data.standings.rows])

    def _missing(self, now: dict[str, str]) -> dict[str, str]:
        if not self._counted.items() <= now.items():  # a match was voided
            self._count, self._counted = StyleCounter(), {}
        return {match: sha256 for match, sha256 in now.items() if match not in self._counted}

    def _count_records(self, run: RunFolder, missing: dict[str, str]) -> None:
        try:
            with closing(self._records(run, missing)) as records:
                for match, record in records:
                    played = read(record)
                    self._count.add(played.header.bots, replay_deals(played))
                    self._counted[match] = missing[match]
        except BourreError:
            # The match's own page reports the error; here the match is left out, and not read again.
            self._counted |= missing
        finally:
            self._counting.release()

    def _records(self, run: RunFolder, missing: dict[str, str]) -> Generator[tuple[str, str], None, None]:
        if len(missing) <= self._at_once:
            yield from ((match, run.record(match)) for match in missing)
            return
        with closing(run.stored_matches()) as matches:
            yield from ((kept.match, kept.record) for kept in matches if kept.match in missing and kept.record)
