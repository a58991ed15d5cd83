"""What searches for schedules have found, kept in a folder for other processes.

A file is a line with the SHA-256 of the rest, and the rest. One that is damaged, or cannot be read or written, costs
only the time of the search.
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

from bourre_referee.schedule.search import Memory, Rows, afresh

EDITION = 1
"""Of the searches: raise it when the same numbers find something else, so that what was kept before is not found."""

WORTH_KEEPING = 50
"""Numbers in what was found: less than this is found again as soon as it is read."""


@dataclass(frozen=True, slots=True)
class ScheduleCache:
    """A memory in a folder. Any number of processes may use it at once: a file is there as a whole or not at all."""

    folder: Path

    def __call__(self, name: str, find: Callable[[], Rows]) -> Rows:
        """What is kept under this name, else what `find()` finds, which is then kept."""
        path = self.folder / f"{name}.json"
        if (kept := _read(path)) is not None:
            return kept
        found = find()
        if sum(map(len, found)) >= WORTH_KEEPING:
            with suppress(OSError):  # a folder that cannot be written, a full disk: then it is found again next time
                _write(path, found)
        return found


def open_schedule_cache(environment: Mapping[str, str]) -> Memory:
    """The memory in the user's cache folder; without such a folder, one that remembers nothing."""
    cache, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(cache):  # as the XDG specification has it
        return ScheduleCache(Path(cache) / "bourre" / f"schedules-{EDITION}")
    return ScheduleCache(Path(home) / ".cache" / "bourre" / f"schedules-{EDITION}") if os.path.isabs(home) else afresh


def _read(path: Path) -> Rows | None:
    try:
        told, _, text = path.read_text("ascii").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    if told != _hash_of(text):
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
