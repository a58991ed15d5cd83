"""Keeps how bots played the deals that all are given in the user's cache folder, so that none is asked twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from bourre_referee.storage.untrusted_files import MIB
from bourre_referee.storage.user_cache import cache_folder, drop_oldest, read_cached, write_cached

MOST_BYTES = 256 * MIB
"""The most bytes of all files; a bot takes about a quarter of one."""

Records = tuple[str, ...]
"""The record of each match."""


@dataclass(frozen=True, slots=True)
class QuizCache:
    """Files in a folder that any number of processes may use at once; with no folder, nothing is kept."""

    folder: Path | None

    def __call__(self, bot: str, play: Callable[[], Records | None]) -> Records | None:
        """Returns the records of this bot, which `bot` describes with all its files; otherwise plays, and keeps them.

        A damaged file, an unwritable folder or a full disk costs only the time to play again.
        """
        if self.folder is None:
            return play()
        path = self.folder / f"{sha256(bot.encode('utf-8', 'surrogatepass')).hexdigest()}.json"
        if (kept := read_cached(path)) is not None:
            return tuple(json.loads(kept))
        records = play()
        if records is not None:
            with suppress(OSError):
                write_cached(path, json.dumps(records))
                drop_oldest(self.folder, MOST_BYTES)
        return records


def open_quiz_cache(environment: Mapping[str, str]) -> QuizCache:
    """Returns the cache in the user's cache folder; what another version of the referee kept is not used."""
    folder = cache_folder(environment)
    return QuizCache(folder / f"quizzes-{version('bourre')}" if folder else None)
