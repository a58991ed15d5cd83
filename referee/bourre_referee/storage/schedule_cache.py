"""Caches the results of schedule searches in a folder shared by processes.

The first line of a file is the SHA-256 of the rest. A file that is damaged, or cannot be read or written, costs only
the time of the search.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from bourre_referee.schedule.annealing import Rows, SearchCache, no_cache

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
        if (stored := _read(path)) is not None:
            return stored
        found = find()
        if sum(map(len, found)) >= WORTH_KEEPING:
            with suppress(OSError):  # with an unwritable folder or a full disk, it is found again next time
                _write(path, found)
        return found


def open_schedule_cache(environment: Mapping[str, str]) -> SearchCache:
    """Returns the cache in the user's cache folder; without such a folder, one that stores nothing."""
    cache, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(cache):  # as the XDG specification has it
        return ScheduleCache(Path(cache) / "bourre" / f"schedules-{EDITION}")
    return ScheduleCache(Path(home) / ".cache" / "bourre" / f"schedules-{EDITION}") if os.path.isabs(home) else no_cache


def _read(path: Path) -> Rows | None:
    try:
        stored_hash, _, text = path.read_text("ascii").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    if stored_hash != _hash_of(text):
        return None
    return tuple(tuple(row) for row in json.loads(text))


def _write(path: Path, rows: Rows) -> None:
    text = json.dumps(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="ascii", dir=path.parent, delete=False) as file:
        try:
            file.write(f"{_hash_of(text)}\n{text}")
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def _hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()
