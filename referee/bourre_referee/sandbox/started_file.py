"""Reads the Python file of a bot's command, which may show why the bot never said hello."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from bourre.bot_code.start_mends import StartedFile
from bourre_referee.model.spec import BotEntry

_MOST = 256 * 1024
"""The most bytes to read."""


def read_started_file(entry: BotEntry) -> StartedFile:
    """Returns the file, or an unknown file if the command has no readable Python file."""
    for word in entry.command or ():
        path = entry.folder / entry.own_folder / word
        if path.suffix == ".py" and (text := _read(path)) is not None:
            seen, unlisted = _told_apart(entry, path.parent)
            return StartedFile(path.name, text, seen, unlisted, entry.files)
    return StartedFile()


def _told_apart(entry: BotEntry, folder: Path) -> tuple[frozenset[str], dict[str, str]]:
    """Returns the names that the bot finds in this folder, and those that it does not, with their paths."""
    paths = {name: os.path.relpath(folder / name, entry.folder) for name in _names_in(folder)}
    listed = [Path(os.path.normpath(file)) for file in entry.files]
    seen = {name for name, path in paths.items() if not listed or any(Path(path).is_relative_to(own) for own in listed)}
    return frozenset(seen), {name: path for name, path in paths.items() if name not in seen}


def _names_in(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:  # the folder may be entered, but not listed
        return frozenset()


def _read(path: Path) -> str | None:
    """Returns the beginning of a regular file; None for anything else. It never waits."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(_MOST).decode(errors="replace") if stat.S_ISREG(os.fstat(handle).st_mode) else None
