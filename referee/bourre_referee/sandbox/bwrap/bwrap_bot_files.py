"""A bot's own files as they are in its box: below /bot, in the places that they have to one another."""

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

_LED_AWAY = "leads through a link to something else"
_ITSELF = "have its author put the file or folder itself there"
"""Never a copy of what the link leads to, whose path is not told either: it may be private to whoever reads this."""


class Hidden(NamedTuple):
    """Something in a bot's files that not every user of this machine may read; no link leads to either path."""

    path: Path
    top: Path
    """The one of its files that this is, or is in."""


class Belongings:
    """The files of one bot. Those beside or above its folder keep their relative paths: /bot is what all have above."""

    def __init__(self, entry: Entry) -> None:
        folder = Path(os.path.normpath(entry.folder.absolute()))
        self._folder = folder
        self._files = [Path(os.path.normpath(folder / file)) for file in entry.files]
        self._top = Path(os.path.commonpath([folder, *(file.parent for file in self._files)]))

    @property
    def folder(self) -> str:
        """The bot's folder in the box."""
        return self._inside(self._folder)

    def binds(self) -> list[Bind]:
        """All of it; raises OSError for a link that would let in something else."""
        return [Bind(self._checked(file), self._inside(file)) for file in self._files]

    def hidden(self) -> Hidden | None:
        """The first that not every user of this machine may read; None when all may. Raises OSError as `binds` does.

        Links count for nothing: what one leads to is another of its files, or not the bot's at all.
        """
        tops = map(self._checked, self._files)
        found = (Hidden(path, top) for top in tops for path in _tree(top) if _is_hidden(path))
        return next(found, None)

    def translated(self, word: str) -> str:
        """A word of its command: an absolute path to one of its files is another one in the box."""
        path = Path(os.path.normpath(word)) if word.startswith("/") else None
        if path and any(path.is_relative_to(file) for file in self._files):
            return self._inside(path)
        return word

    def holds(self, path: Path) -> bool:
        """Whether this is one of its files."""
        return any(path.is_relative_to(file) for file in self._files)

    def check_neighbours(self, path: Path, real: Path) -> None:
        """Raises OSError where links led from this path to `real`, which is another bot's as far as one can tell."""
        inside = path.is_relative_to(self._folder) and real.is_relative_to(self._folder.resolve())
        if inside and real != self._place(path) and not self._owns(real):
            raise OSError(f"{path} {_LED_AWAY}: {_ITSELF}")

    def _inside(self, path: Path) -> str:
        below = path.relative_to(self._top).as_posix()
        return TOP if below == "." else f"{TOP}/{below}"

    def _checked(self, file: Path) -> Path:
        """A bot's author may have made its files: no link of theirs opens a neighbour's, or any other of the host."""
        if self._folder.is_relative_to(file):
            raise OSError(f"{file} holds the whole contest's folder: name the bot's own files in its `files`")
        try:
            real = Path(os.path.realpath(file, strict=True))
        except OSError as error:
            refused, place = Path(error.filename or file), self._place(file)
            if refused in (file, *file.parents, place, *place.parents) and not refused.is_symlink():
                raise
            raise OSError(f"{file} {_LED_AWAY}: {_ITSELF}") from None  # the system names what a link leads to
        if real == file or self._owns(real):
            return real
        raise OSError(f"{file} {_LED_AWAY}, which its `files` do not name: {_ITSELF}")

    def _owns(self, real: Path) -> bool:
        """Whether this is one of its files, or in one: a place that no link below the contest's folder leads to."""
        return any(real.is_relative_to(self._place(file)) for file in self._files)

    def _place(self, path: Path) -> Path:
        """Where this is when links are followed above the contest's folder only, as of a home that is a link itself."""
        return Path(os.path.normpath(self._folder.resolve() / os.path.relpath(path, self._folder)))


def _tree(top: Path) -> Iterator[Path]:
    """This, and all that is in it; no link is followed."""
    yield top
    yield from sorted(top.rglob("*"))


def _is_hidden(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return mode & _ENTERED != _ENTERED
    return stat.S_ISREG(mode) and not mode & stat.S_IROTH
