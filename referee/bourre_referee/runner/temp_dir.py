"""A folder for what a run needs only while it plays, such as the bots' sockets; nothing of it stays."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bourre_referee.storage.untrusted_files import read

PREFIX = "bourre-"
LONGEST_PATH = 4096
_NAME = re.compile(rf"{PREFIX}[0-9a-f]{{8}}")
_RIGHTS = 0o711


@contextmanager
def temp_dir(note: Path) -> Iterator[Path]:
    """A fresh folder in that of the system for such things, since the path of a socket must be short.

    Its path stands in the file `note` before it is made and until it is gone, so that the next run removes what a
    killed one left. Call it under the lock of the run. Inside, this process makes its temporary files there too, as
    when it tries whether bots can be boxed.
    """
    sweep(note)
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    with note.open("x", encoding="utf-8") as file:  # new: a stranger's link in its place would be written through
        file.write(str(folder))
    folder.mkdir()
    # Bots of another user pass through it to their sockets; each socket's own folder says who may.
    folder.chmod(_RIGHTS)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        sweep(note)


def sweep(note: Path) -> None:
    """Removes the folder that this file names, and the file."""
    if note.exists():
        folder = Path(read(note, LONGEST_PATH).decode("utf-8", errors="replace"))
        if _NAME.fullmatch(folder.name) and _is_ours(folder):
            # What a bot is still writing stays; it is not worth the end of a contest.
            shutil.rmtree(folder, ignore_errors=True)
    note.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """The note may be a stranger's: whatever else it names stays."""
    try:
        status = path.lstat()
    except (OSError, ValueError):  # a note that was cut, or damaged
        return False
    return stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == _RIGHTS and status.st_uid == os.geteuid()
