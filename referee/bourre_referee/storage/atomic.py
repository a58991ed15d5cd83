"""Writing a file so that it is always whole: the old one or the new one, also after a crash."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bourre_referee.model.errors import ContestError


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replaces the file by one with this text and these rights, and waits until it is on disk; else ContestError."""
    try:
        _replace(path, text, mode)
    except OSError as error:
        _discard(_beside(path))
        mend = "make room on the disk or change the rights, and run again; what is finished is stored"
        raise ContestError(f"{path}: cannot be written ({error.strerror}): {mend}") from error


def _replace(path: Path, text: str, mode: int) -> None:
    beside = _beside(path)
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(handle)
    beside.replace(path)
    _sync(path.parent)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _discard(part: Path) -> None:
    """Gives back the room that a part of a file takes on a full disk."""
    with suppress(OSError):  # the folder cannot be written: then that is what the caller hears
        part.unlink()


def _sync(folder: Path) -> None:
    """Waits until the names in this folder are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
