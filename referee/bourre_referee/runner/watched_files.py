"""Watches the files of bots: their dates each time, their contents if a date changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

_Traces = tuple[tuple[str, int, int, int, int], ...]


class WatchedFiles:
    """Some files and folders, which nobody may change while bots play."""

    def __init__(self, paths: Iterable[str], folder: Path, compare: Callable[[], Iterable[str]]) -> None:
        """The paths start at `folder`; `compare` reads the files and says in words what was changed."""
        self._places = tuple(folder / path for path in paths)
        self._compare = compare
        self._known: _Traces = ()

    def changes(self) -> tuple[str, ...]:
        """Returns in words what was changed.

        Call it when a room is played but not yet stored, so that no result is stored of a bot that was started, or
        read one of its files, after the change.
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
        return str(file), 0, 0, 0, 0  # it is gone, which comparing its contents then reports
    return str(file), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def differences(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yields a sentence for each file whose hash differs, that is new, or that is gone; both are hashes by path."""
    yield from (f"{path} was changed" for path in now if before.get(path, now[path]) != now[path])
    yield from (f"{path} is new" for path in now if path not in before)
    yield from (f"{path} is gone" for path in before if path not in now)
