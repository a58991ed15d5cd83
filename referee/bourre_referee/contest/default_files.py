"""The default files of a bot: its whole folder if no other bot shares it, otherwise the files in its command."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from bourre_referee.contest.bot_command import files_in
from bourre_referee.model.site import own_folder
from bourre_referee.sandbox.bwrap.visible_files import is_closed_to_others

MOST_FILES = 2_000
MOST_BYTES = 64 * 2**20
"""The most files and folders, and the most bytes, that belong to a bot without being listed."""

_ENTERS_BOTS = re.compile(r"^\s*\[\[(bots|models|staff)\]\]", re.MULTILINE)
_LONGEST_CONTEST = 2**20
_MADE = ("__pycache__", "runs")
_SIGNS = ("pyvenv.cfg", "run.db")
"""Each marks an environment or a run folder."""


Taken = Mapping[Path, Set[Path]]
"""The paths of other bots in each folder, at any depth."""


def taken_by(paths: Iterable[Path]) -> Taken:
    """Returns the folders with these paths of a contest and all its bots."""
    taken: dict[Path, set[Path]] = {}
    for path in map(_absolute, paths):
        for holder in (path, *path.parents):
            taken.setdefault(holder, set()).add(path)
    return taken


def default_files(command: Sequence[str], folder: Path, taken: Taken = MappingProxyType({})) -> tuple[str, ...]:
    """Returns the files in a command and, if their folder belongs to this bot alone, everything else in it.

    A folder with a contest file or with files of other bots belongs to no single bot. Hidden files, links out of the
    folder, environments, runs and Python's caches are left out. So is the whole content of a large folder.
    """
    named, inside = files_in(command, folder), own_folder(command, folder)
    own = _absolute(folder / inside)
    mine = {_absolute(folder / path) for path in named}
    if not mine or own in mine or taken.get(own, mine) - mine or _holds_contest(own):
        return named
    beside = [name for name in _names_in(own) if own / name not in mine and _comes_along(own / name)]
    if _is_large(own / name for name in beside):
        return named
    return (*named, *(os.path.join(inside, name) for name in beside))


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _holds_contest(folder: Path) -> bool:
    """Whether the folder has a contest or ladder file: then other bots may have files there too."""
    return any(_ENTERS_BOTS.search(_beginning(file)) for file in folder.glob("*.toml") if file.is_file())


def _names_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder)) if os.access(folder, os.R_OK) else []


def _beginning(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_LONGEST_CONTEST)
    except OSError:  # the file belongs to another user
        return ""


def _comes_along(path: Path) -> bool:
    if path.name.startswith(".") or path.name in _MADE or path.is_symlink():
        return False
    if path.is_dir() and any((path / sign).exists() for sign in _SIGNS):
        return False
    tree = list(islice(_tree(path), MOST_FILES + 1))
    return any(map(Path.is_file, tree)) and all(_stays_in(path, each) and _is_readable(each) for each in tree)


def _stays_in(top: Path, path: Path) -> bool:
    """Whether this is not a link that leads out of the bot's folder."""
    return not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top))


def _is_readable(path: Path) -> bool:
    """Whether this user's bots can read it. Root's bots run as nobody, who cannot read private files."""
    return os.access(path, os.R_OK) and not (os.geteuid() == 0 and is_closed_to_others(path))


def _is_large(paths: Iterable[Path]) -> bool:
    left_files, left_bytes = MOST_FILES, MOST_BYTES
    for path in paths:
        for file in _tree(path):
            left_files, left_bytes = left_files - 1, left_bytes - file.lstat().st_size * file.is_file()
            if left_files < 0 or left_bytes < 0:
                return True
    return False


def _tree(top: Path) -> Iterator[Path]:
    """Yields a path and everything in it, without Python's caches. It follows no links."""
    yield top
    for at, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (Path(at, name) for name in (*folders, *names))
