"""One process at a time plays the contest of a run folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.regular_file import check_regular


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds this lock file, which names the holder; the system lets go of it when the holder dies.

    ContestError when another process holds it, or it cannot be used.
    """
    check_regular(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise ContestError(
            f"{path}: cannot be written ({error.strerror}): make room on the disk or change the rights, or give "
            "another folder with --out"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ContestError(_held(path, os.read(handle, 20).decode("ascii", errors="replace"))) from error
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)


def _held(path: Path, holder: str) -> str:
    process = f"process {holder.strip()}" if holder.strip() else "another process"
    return f"{path.parent}: {process} is playing this contest; wait for it, stop it, or give another folder with --out"
