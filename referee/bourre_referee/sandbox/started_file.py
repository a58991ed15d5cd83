"""Reads the Python file that a bot's command starts, which may show why the bot never said hello."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from bourre.bot_code.start_mends import StartedFile
from bourre_referee.model.spec import BotEntry

_MOST = 256 * 1024
"""The most bytes that are read of it."""


def read_started_file(entry: BotEntry) -> StartedFile:
    """Returns the file, or an unknown one if no word of the command names a Python file that can be read."""
    for word in entry.command or ():
        path = entry.folder / entry.own_folder / word
        if path.suffix == ".py" and (text := _read(path)) is not None:
            seen, unlisted = _told_apart(entry, path.parent)
            return StartedFile(path.name, text, seen, unlisted, entry.files)
    return StartedFile()


def _told_apart(entry: BotEntry, folder: Path) -> tuple[frozenset[str], dict[str, str]]:
    """Returns what the bot finds in this folder, and what it does not, each name with its path as `files` has it."""
    paths = {name: os.path.relpath(folder / name, entry.folder) for name in _names_in(folder)}
    listed = [Path(os.path.normpath(file)) for file in entry.files]
    seen = {name for name, path in paths.items() if not listed or any(Path(path).is_relative_to(own) for own in listed)}
    return frozenset(seen), {name: path for name, path in paths.items() if name not in seen}


def _names_in(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:  # it may be entered, but not listed
        return frozenset()


def _read(path: Path) -> str | None:
    """Returns the beginning of a regular file, which is never waited for; None if it is none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(_MOST).decode(errors="replace") if stat.S_ISREG(os.fstat(handle).st_mode) else None
