"""Caches the results of schedule searches in a folder shared by processes.

A file that is damaged, or cannot be read or written, costs only the time of the search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.schedule.annealing import Rows, SearchCache, no_cache
from bourre_referee.storage.user_cache import cache_folder, read_cached, write_cached

EDITION = 1
"""The version of the searches: raise it when they find something else, so that older files are not used."""

WORTH_KEEPING = 50
"""How many numbers a result must have to be stored: a smaller one is found as fast as it is read."""


@dataclass(frozen=True, slots=True)
class ScheduleCache:
    """A cache in a folder that any number of processes may use at once, as files are written atomically."""

    folder: Path

    def __call__(self, name: str, find: Callable[[], Rows]) -> Rows:
        """Returns the result stored under this name; otherwise calls `find()` and stores its result."""
        path = self.folder / f"{name}.json"
        if (stored := read_cached(path)) is not None:
            return tuple(tuple(row) for row in json.loads(stored))
        found = find()
        if sum(map(len, found)) >= WORTH_KEEPING:
            with suppress(OSError):  # with an unwritable folder or a full disk, it is found again next time
                write_cached(path, json.dumps(found))
        return found


def open_schedule_cache(environment: Mapping[str, str]) -> SearchCache:
    """Returns the cache in the user's cache folder; without such a folder, one that stores nothing."""
    folder = cache_folder(environment)
    return ScheduleCache(folder / f"schedules-{EDITION}") if folder else no_cache
