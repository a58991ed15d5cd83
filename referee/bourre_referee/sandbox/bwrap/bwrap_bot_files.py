"""A bot's own files as its box holds them: below /bot, at the same paths relative to each other."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind

TOP = "/bot"
_ENTERED = stat.S_IROTH | stat.S_IXOTH

_FOLLOWS_LINK = "leads through a link to something else"
_NO_LINK = "ask its author to put the file or folder itself there"
"""Do not suggest to copy the link's target, or name it: it may be private to someone other than the reader."""


class UnreadableFile(NamedTuple):
    """A path in a bot's files that not every user of this machine may read; neither path contains a link."""

    path: Path
    top: Path
    """The entry of the bot's `files` that is this path or contains it."""


class SandboxFiles:
    """The files of one bot. Files beside or above its folder keep their relative paths: /bot is their common parent."""

    def __init__(self, entry: Entry) -> None:
        folder = Path(os.path.normpath(entry.folder.absolute()))
        self._folder = folder
        self._files = [Path(os.path.normpath(folder / file)) for file in entry.files]
        self._top = Path(os.path.commonpath([folder, *(file.parent for file in self._files)]))

    @property
    def folder(self) -> str:
        """The bot's folder inside the box."""
        return self._inside(self._folder)

    def binds(self) -> list[Bind]:
        """Returns a bind for each file; raises OSError for a link that would let in something else."""
        return [Bind(self._resolve(file), self._inside(file)) for file in self._files]

    def find_unreadable(self) -> UnreadableFile | None:
        """Finds the first path that not every user of this machine may read. Raises OSError as `binds` does.

        Links are skipped: a link leads to another of the bot's files, or to something that is not the bot's.
        """
        tops = map(self._resolve, self._files)
        found = (UnreadableFile(path, top) for top in tops for path in _tree(top) if _is_unreadable(path))
        return next(found, None)

    def translate(self, word: str) -> str:
        """Translates a word of the bot's command: an absolute path to one of its files becomes its path in the box."""
        path = Path(os.path.normpath(word)) if word.startswith("/") else None
        if path and any(path.is_relative_to(file) for file in self._files):
            return self._inside(path)
        return word

    def holds(self, path: Path) -> bool:
        """Whether this path is one of the bot's files, or in one."""
        return any(path.is_relative_to(file) for file in self._files)

    def check_neighbours(self, path: Path, real: Path) -> None:
        """Raises OSError if links lead from this path to `real` and that may be another bot's."""
        inside = path.is_relative_to(self._folder) and real.is_relative_to(self._folder.resolve())
        if inside and real != self._place(path) and not self._owns(real):
            raise OSError(f"{path} {_FOLLOWS_LINK}: {_NO_LINK}")

    def _inside(self, path: Path) -> str:
        below = path.relative_to(self._top).as_posix()
        return TOP if below == "." else f"{TOP}/{below}"

    def _resolve(self, file: Path) -> Path:
        """Resolves links, none of which may lead out of the bot's files: its author may have made them."""
        if self._folder.is_relative_to(file):
            raise OSError(f"{file} contains the whole contest folder: list only the bot's own files in its `files`")
        try:
            real = Path(os.path.realpath(file, strict=True))
        except OSError as error:
            refused, place = Path(error.filename or file), self._place(file)
            if refused in (file, *file.parents, place, *place.parents) and not refused.is_symlink():
                raise
            raise OSError(f"{file} {_FOLLOWS_LINK}: {_NO_LINK}") from None  # the system's text names the link's target
        if real == file or self._owns(real):
            return real
        raise OSError(f"{file} {_FOLLOWS_LINK}, which its `files` do not list: {_NO_LINK}")

    def _owns(self, real: Path) -> bool:
        """Whether this resolved path is in one of the bot's files, reached without a link below the contest folder."""
        return any(real.is_relative_to(self._place(file)) for file in self._files)

    def _place(self, path: Path) -> Path:
        """Resolves links above the contest folder only, such as a home directory that is itself a link."""
        return Path(os.path.normpath(self._folder.resolve() / os.path.relpath(path, self._folder)))


def _tree(top: Path) -> Iterator[Path]:
    """Yields this path and everything in it; follows no link."""
    yield top
    yield from sorted(top.rglob("*"))


def _is_unreadable(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return mode & _ENTERED != _ENTERED
    return stat.S_ISREG(mode) and not mode & stat.S_IROTH
