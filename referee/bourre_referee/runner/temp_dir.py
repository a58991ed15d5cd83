"""A temporary folder for what a run needs only while it plays, such as the bots' sockets."""

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

    The file `note` holds its path from before it is made until it is gone, so that the next run removes what a killed
    one left. Call it under the run's lock. Meanwhile this process makes all its temporary files there. Raises
    ContestError if no socket could be there.
    """
    sweep(note)
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    if problem := socket_problem(folder):
        raise ContestError(problem)
    with note.open("xb") as file:  # "x", because writing would follow a stranger's link
        file.write(os.fsencode(folder))
    folder.mkdir()
    # Bots that run as another user pass through it to their sockets; each socket's own folder decides who may enter.
    folder.chmod(_RIGHTS)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        sweep(note)


def run_temp_dir(place: RunLocation) -> AbstractContextManager[Path]:
    """Yields that of a run; raises ContestError for a place without a folder, where no note could be."""
    if place.folder is None:
        raise ContestError(f"{place}: name a folder for the bots' logs with --out")
    return temp_dir(FolderLocation(place.folder).temp_dir_note)


def sweep(note: Path) -> None:
    """Removes the folder that the note names, and the note."""
    if note.exists():
        folder = Path(os.fsdecode(read(note, LONGEST_PATH)))
        if _NAME.fullmatch(folder.name) and _is_ours(folder):
            # Files that a bot is still writing may stay; that is no reason to fail the contest.
            shutil.rmtree(folder, ignore_errors=True)
    note.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """Whether this is a folder that a run made: a stranger may have written the note."""
    try:
        status = path.lstat()
    except (OSError, ValueError):  # the note is truncated or damaged
        return False
    return stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == _RIGHTS and status.st_uid == os.geteuid()
