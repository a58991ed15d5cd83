"""A temporary folder for files that a run needs only while it plays, such as the bots' sockets."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.sandbox.socket_folder import socket_problem
from bourre_referee.storage.files.untrusted_files import read
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run_location import RunLocation

PREFIX = "bourre-"
LONGEST_PATH = 4096
_NAME = re.compile(rf"{PREFIX}[0-9a-f]{{8}}")
_RIGHTS = 0o711


@contextmanager
def temp_dir(note: Path) -> Iterator[Path]:
    """Yields a new folder in the system's temporary folder, because a socket's path must be short.

    The file `note` contains its path from before its creation until after its removal, so that the next run can remove
    the folder of a killed one. Call it under the run's lock. Inside the block, this process makes all its temporary
    files there. Raises ContestError if no socket could be there.
    """
    sweep(note)
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    if problem := socket_problem(folder):
        raise ContestError(problem)
    with note.open("xb") as file:  # "x" follows no link, which a stranger may have made
        file.write(os.fsencode(folder))
    folder.mkdir()
    # Bots of another user pass through it to their sockets. The folder of each socket has its own permissions.
    folder.chmod(_RIGHTS)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        sweep(note)


def run_temp_dir(place: RunLocation) -> AbstractContextManager[Path]:
    """Returns the temporary folder of a run. Raises ContestError if the run has no folder for the note."""
    if place.folder is None:
        raise ContestError(f"{place} has no folder for the bots' logs.\nhint: set one with --out")
    return temp_dir(FolderLocation(place.folder).temp_dir_note)


def sweep(note: Path) -> None:
    """Removes the folder in the note, and the note."""
    if note.exists():
        folder = Path(os.fsdecode(read(note, LONGEST_PATH)))
        if _NAME.fullmatch(folder.name) and _is_ours(folder):
            # Files that a bot is still writing may stay. The contest continues all the same.
            shutil.rmtree(folder, ignore_errors=True)
    note.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """Whether a run made this folder. The note may be a stranger's."""
    try:
        status = path.lstat()
    except (OSError, ValueError):  # the note is truncated or damaged
        return False
    return stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == _RIGHTS and status.st_uid == os.geteuid()
