"""Reads untrusted files: only regular files, of limited size, without repeated JSON keys."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import shorten

MIB = 2**20
LONGEST = 64 * MIB
"""The most bytes of a file that is read as a whole."""
LARGEST_BOT = 64 * MIB
"""The most bytes in total of a submitted bot's files."""
LONGEST_RECORD = 256 * MIB
"""The most bytes of records and standings: half a million deals of five seats, a cross-table of 1,500 bots."""
LONGEST_LINE = 16 * MIB
LONGEST_NAME = 200
"""The most bytes of the name of one file or folder of a bot."""
DEEPEST = 16
"""The deepest level of folders in a bot's files."""

_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def check_regular(path: Path) -> None:
    """Raises ContestError for a link, which may lead anywhere, and for a pipe or a device, which may never end.

    A missing file is left for the caller to find when it opens it.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:  # opening it then raises the error
        return
    if kind := _KINDS.get(stat.S_IFMT(mode)):
        raise ContestError(f"{path} is {kind}, but must be a regular file.\nhint: get a new copy")


def check_folder(path: Path) -> None:
    """Raises ContestError if this path exists but is not a folder, or is a link."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise ContestError(f"{path} must be a folder, not a link or a file.\nhint: get a new copy")


def path_problem(path: PurePosixPath) -> str:
    """Returns why an untrusted file may not be written at this path below a folder; empty if it may."""
    if path.is_absolute() or ".." in path.parts or not path.parts or not set("\\:").isdisjoint(str(path)):
        return "is not a path inside a folder"
    if not str(path).isprintable():
        return "has characters that cannot be shown"
    if max(len(part.encode()) for part in path.parts) > LONGEST_NAME:
        return f"has a name longer than {LONGEST_NAME} bytes"
    return f"lies more than {DEEPEST} folders deep" if len(path.parts) > DEEPEST + 1 else ""


def open_regular(path: Path) -> BinaryIO:
    """Opens a file for reading. Raises ContestError as `check_regular` does, and OSError as `open` does."""
    check_regular(path)  # first, because opening a device may have an effect
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    return os.fdopen(handle, "rb")


def read(path: Path, most: int = LONGEST) -> bytes:
    """Reads a whole file. Raises ContestError if it has more than `most` bytes, and as `open_regular` does."""
    with open_regular(path) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise ContestError(
            f"{path} is larger than {in_words(most)}, the limit for files of a run.\nhint: get a new copy"
        )
    return found


def read_text_if_exists(path: Path) -> str | None:
    """Reads a file; None if it is missing or not UTF-8. Raises ContestError if it cannot be read."""
    try:
        return read(path, LONGEST_RECORD).decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise ContestError(f"Cannot read {path}: {error.strerror}.\nhint: check its permissions") from error


def lines(path: Path, most: int = LONGEST_LINE) -> Iterator[bytes]:
    """Yields the lines of a file, one in memory at a time. Raises ContestError for a line of more than `most` bytes."""
    with open_regular(path) as file:
        number = 0
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                text = f"the line is longer than {in_words(most)}, the limit for lines of a run.\nhint: get a new copy"
                raise ContestError(f"{path}:{number}: {text}")
            yield line


def in_words(size: int) -> str:
    """Formats a size for an error message."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size:,} bytes"


LONGEST_KEY = 60
"""The most characters of a key in an error message."""


def place_in(keys: Iterable[int | str]) -> str:
    """Formats the path to a value in untrusted JSON for an error message."""
    return ".".join(shorten(str(key), LONGEST_KEY) for key in keys)


def repeated_key(text: str | bytes) -> str | None:
    """Returns that an object in this valid JSON text has a key twice; None if none has."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        times = Counter(key for key, _ in pairs)
        found.extend(key for key in times if times[key] > 1)

    # Numbers stay text, because Python refuses very long ones.
    json.loads(text, object_pairs_hook=note, parse_int=str, parse_float=str)
    return f"the key {shorten(found[0], LONGEST_KEY)!r} appears twice in one object" if found else None
