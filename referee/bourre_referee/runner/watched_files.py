"""Watches the files of bots: it compares dates each time, and contents if a date changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

_Traces = tuple[tuple[str, int, int, int, int], ...]


class WatchedFiles:
    """Files and folders that nobody may change while bots play."""

    def __init__(self, paths: Iterable[str], folder: Path, compare: Callable[[], Iterable[str]]) -> None:
        """The paths are relative to `folder`. `compare` reads the files, and returns a sentence for each change."""
        self._places = tuple(folder / path for path in paths)
        self._compare = compare
        self._known: _Traces = ()

    def changes(self) -> tuple[str, ...]:
        """Returns a sentence for each change.

        Call it after a room is played and before its results are stored. So no result of a changed bot is stored.
        """
        now = tuple(map(_trace, self._files()))
        if now == self._known:
            return ()
        if found := tuple(self._compare()):
            return found
        self._known = now
        return ()

    def _files(self) -> Iterator[Path]:
        for place in self._places:
            for file in [place, *sorted(place.rglob("*"))] if place.is_dir() else [place]:
                if "__pycache__" not in file.parts:
                    yield file


def _trace(file: Path) -> tuple[str, int, int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return str(file), 0, 0, 0, 0  # it is gone, which `compare` then reports
    return str(file), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def differences(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yields a sentence for each file that changed, is new or is gone, given the hashes by path."""
    yield from (f"{path} was changed" for path in now if before.get(path, now[path]) != now[path])
    yield from (f"{path} is new" for path in now if path not in before)
    yield from (f"{path} is gone" for path in before if path not in now)
