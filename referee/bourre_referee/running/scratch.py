"""A folder for what a run needs only while it plays, such as the bots' sockets; nothing of it stays."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "bourre-"


@contextmanager
def scratch(note: Path) -> Iterator[Path]:
    """A fresh folder in that of the system for such things, since the path of a socket must be short.

    Its path stands in the file `note` before it is made and until it is gone, so that the next run removes what a
    killed one left. Call it under the lock of the run. Inside, this process makes its temporary files there too, as
    when it tries whether bots can be boxed.
    """
    sweep(note)
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    note.write_text(str(folder), "utf-8")
    folder.mkdir()
    # Bots of another user pass through it to their sockets; each socket's own folder says who may.
    folder.chmod(0o711)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        sweep(note)


def sweep(note: Path) -> None:
    """Removes the folder that this file names, and the file."""
    if not note.exists():
        return
    folder = Path(note.read_text("utf-8", errors="replace"))
    if folder.name.startswith(PREFIX) and _is_own_folder(folder):
        # What a bot is still writing stays; it is not worth the end of a contest.
        shutil.rmtree(folder, ignore_errors=True)
    note.unlink(missing_ok=True)


def _is_own_folder(path: Path) -> bool:
    try:
        status = path.lstat()
    except (OSError, ValueError):  # a note that was cut, or damaged
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
