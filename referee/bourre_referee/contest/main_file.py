"""Finds the main file of a submitted bot, which may lie a folder deeper or have another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import printable, shorten

_LITTER = {"__pycache__", ".git", ".venv", "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
_STARTS = re.compile(rb"^[ \t]*(?:bourre\.|await[ \t]+)?run\(", re.MULTILINE)
_DERIVES = re.compile(rb"^[ \t]*class[ \t]+\w+.*\bBot\b", re.MULTILINE)
_READ = 2**20
"""The bytes of a file that are searched for signs of a bot."""
_NAMED = 5
_LONGEST = 60
"""The most names, and the most characters of each, in an error."""

_Place = tuple[Path, str]
"""A folder, and the path of a main file in it."""


def is_litter(path: PurePath) -> bool:
    """Whether an author's tool left this file or folder, which is not part of the bot."""
    return path.name.startswith("._") or not _LITTER.isdisjoint(path.parts)


def settle_main_file(folder: Path, names: Sequence[str]) -> str:
    """Moves the bot's files to the top of `folder`, a copy, and returns the path of its main file there.

    The main file has one of these `names`, in any case, or is the only one with a bot in it, here or one folder deeper.
    Files outside of its folder are removed. Raises ContestError if no file qualifies, or more than one.
    """
    top = folder
    while not _called(top, names) and len(inside := [*top.iterdir()]) == 1 and inside[0].is_dir():
        top = inside[0]
    found = _called(top, names)
    if not found:
        deeper = [place for inner in sorted(top.iterdir()) if inner.is_dir() for place in _called(inner, names)]
        found = [*((top, name) for name in _bots(top, names)), *deeper]
    if len(found) != 1:
        raise ContestError(_unclear(top, found, names))
    ((home, main),) = found
    if home != folder:
        with TemporaryDirectory(dir=folder.parent) as place:
            whole = folder.rename(Path(place, "whole"))
            (whole / home.relative_to(folder)).rename(folder)
    return main


def _called(folder: Path, names: Sequence[str]) -> list[_Place]:
    """Returns the first of these names that is a file here, or all files that differ only in case."""
    exact = [name for name in names if (folder / name).is_file()]
    folded = {name.casefold() for name in names}
    other = sorted(file.name for file in folder.iterdir() if file.name.casefold() in folded and file.is_file())
    return [(folder, name) for name in exact[:1] or other]


def _bots(folder: Path, names: Sequence[str]) -> list[str]:
    """Returns the files of the same languages that start a bot, or those with a bot's class."""
    suffixes = {PurePath(name).suffix.lower() for name in names if "/" not in name} - {""}
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in suffixes and file.is_file())
    texts = {file.name: _beginning(file) for file in files}
    starting = [name for name, text in texts.items() if _STARTS.search(text)]
    return starting or [name for name, text in texts.items() if _DERIVES.search(text)]


def _beginning(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(_READ)


def _unclear(top: Path, found: Sequence[_Place], names: Sequence[str]) -> str:
    wanted = [name for name in names if PurePath(name).suffix] or names
    mend = f"\nhint: rename your bot's file to {' or '.join(wanted)}, at the top level"
    if found:
        files = [(home / name).relative_to(top).as_posix() for home, name in found]
        return f"{' and '.join(_shown(files))} may each be the bot.{mend}"
    return f"it has no {wanted[0]} ({describe_folder(top)}).{mend}"


def describe_folder(folder: Path) -> str:
    """Describes the content of a submitted folder in a few words."""
    names = sorted(path.name for path in folder.iterdir())
    return f"it holds {', '.join(_shown(names))}" if names else "it is empty"


def _shown(names: Sequence[str]) -> Iterator[str]:
    return (shorten(printable(name), _LONGEST) for name in names[:_NAMED])
