"""Files and folders that are there whole or not at all, also after a crash."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

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


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder near it, which becomes `out` at the end. ContestError when `out` is not new, or cannot be written."""
    try:
        with _made(out) as folder:
            yield folder
    except OSError as error:
        place = error.filename or out
        raise ContestError(f"{place}: cannot be written ({error.strerror}); give another folder with --out") from error


@contextmanager
def _made(out: Path) -> Iterator[Path]:
    if out.is_dir() and not any(out.iterdir()):
        out.rmdir()
    if out.exists():
        raise ContestError(f"{out}: it is there already; remove it, or give a new folder with --out")
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"{out.name}.", dir=out.parent) as place:
        making = Path(place, out.name)  # with the rights of any new folder, which the one around it has not
        making.mkdir()
        yield making
        making.rename(out)
