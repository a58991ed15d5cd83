"""Makes processes that change a file take turns."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import check_regular


@contextmanager
def take_turns(path: Path, mode: int = 0o600) -> Iterator[None]:
    """Waits for others that change this file, and holds a lock next to it, made with `mode`.

    The system releases the lock of the dead.
    """
    lock = path.with_name(f"{path.name}.lock")
    check_regular(lock)
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, mode)
    except OSError as error:
        raise ContestError(f"Cannot write {lock}: {error.strerror}.\nhint: check its permissions") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
