"""Writes files and folders atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.model.errors import ContestError


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replaces a file's text and permissions, and waits until it is on disk. Raises ContestError."""
    write_bytes(path, text.encode(), mode)


def write_bytes(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replaces a file as `write` does."""
    try:
        _replace(path, data, mode)
    except OSError as error:
        _discard(_beside(path))
        hint = "check its permissions and the free disk space, and run again"
        raise ContestError(f"Cannot write {path}: {error.strerror}.\nhint: {hint}") from error


def _replace(path: Path, data: bytes, mode: int) -> None:
    beside = _beside(path)
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)
    beside.replace(path)
    _sync(path.parent)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _discard(part: Path) -> None:
    """Frees the space that an unfinished file takes on a full disk."""
    with suppress(OSError):  # if the folder cannot be written, the caller reports that
        part.unlink()


def _sync(folder: Path) -> None:
    """Waits until the names in this folder are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def new_folder(out: Path, option: str = " with --out") -> Iterator[Path]:
    """Yields a folder that becomes `out` at the end. Raises ContestError if `out` exists or cannot be written.

    `option` names, after a space, the option for another folder.
    """
    try:
        with _make(out, option) as folder:
            yield folder
    except OSError as error:
        place = error.filename or out
        raise ContestError(f"Cannot write {place}: {error.strerror}.\nhint: use another folder{option}") from error


@contextmanager
def _make(out: Path, option: str) -> Iterator[Path]:
    if out.is_dir() and not any(out.iterdir()):
        out.rmdir()
    if out.exists():
        raise ContestError(f"{out} already exists.\nhint: remove it, or use a new folder{option}")
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"{out.name}.", dir=out.parent) as place:
        making = Path(place, out.name)  # gets the usual permissions, unlike the temporary folder around it
        making.mkdir()
        yield making
        making.rename(out)
