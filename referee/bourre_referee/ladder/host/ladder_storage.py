"""The storage of a ladder's log and epochs: in its folder, or in a database."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from bourre_referee.ladder.log.log_file import LogFile
from bourre_referee.ladder.log.shared_log import LogStorage
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.address_text import without_password
from bourre_referee.storage.files.untrusted_files import LONGEST_LINE, read
from bourre_referee.storage.files.waiting import Waiting
from bourre_referee.storage.files.wrong_folder import no_ladder
from bourre_referee.storage.run.folder_location import FolderLocation, hold_lock
from bourre_referee.storage.run.run_location import RunLocation

DATABASE = "ladder.database"
"""The name of the file that names the database of a ladder."""
LOG = "ladder.jsonl"
"""The name of the log of a ladder in its folder."""
LOCK = "ladder.lock"
"""The name of the lock for serving a ladder in a folder."""
EPOCHS = "epochs"
"""The name of the folder of the epochs' run folders."""


class LadderStorage(Protocol):
    """The stored part of a ladder. `str` gives its name in messages. Every method raises ContestError."""

    @property
    def lines(self) -> LogStorage:
        """The lines of the log."""

    def check(self) -> None:
        """Raises ContestError if there is no ladder, or this version cannot use it."""

    def epoch(self, name: str) -> RunLocation:
        """Returns the place of an epoch's rooms, by a name of `epoch_name`."""

    def contest_of(self, ladder: str, epoch: str) -> str:
        """Returns the name of the contest with an epoch's rooms."""

    def is_served(self) -> bool:
        """Whether a process serves this ladder now."""

    def lead(self, patience: Waiting) -> AbstractContextManager[LadderStorage]:
        """Keeps other processes from serving, and yields the storage for writing. It may wait for the lead."""


class FolderStorage:
    """A ladder whose log and epochs are in its folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    @property
    def lines(self) -> LogFile:
        """The file of the log."""
        return LogFile(self._path / LOG)

    def check(self) -> None:
        """Raises ContestError if there is no log."""
        if not self.lines.path.exists():
            raise no_ladder(self._path)

    def epoch(self, name: str) -> FolderLocation:
        """Returns a run folder."""
        return FolderLocation(self._path / EPOCHS / name)

    def contest_of(self, ladder: str, epoch: str) -> str:
        """Returns the name of the contest in a run folder."""
        return f"{ladder}-{epoch}"

    def is_served(self) -> bool:
        """Whether a process holds the lock."""
        try:
            with (self._path / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    @contextmanager
    def lead(self, patience: Waiting) -> Iterator[FolderStorage]:
        """Takes the lock, without waiting."""
        if self.is_served():
            raise ContestError(f"Another process serves the ladder {self._path}.\nhint: stop it first")
        with hold_lock(self._path / LOCK):
            yield self


def storage_of(path: Path) -> LadderStorage:
    """Returns the storage of the ladder in this folder. Raises ContestError for a damaged file."""
    note = path / DATABASE
    if not note.exists():
        return FolderStorage(path)
    from bourre_referee.storage.database.postgres.database_address import parse_contest
    from bourre_referee.storage.run.ladder_database import LadderDatabase

    address = read(note, LONGEST_LINE).decode("utf-8", errors="replace").strip()
    try:
        return LadderDatabase(parse_contest(address))
    except ContestError as error:
        raise ContestError(f"{note}: {error}") from error


def begin_storage(path: Path, url: str | None, ladder: str) -> None:
    """Makes a new, empty log, and writes its place, without the password, into the folder."""
    if url is None:
        (path / EPOCHS).mkdir()
        (path / LOG).touch(exist_ok=False)
        return
    from bourre_referee.storage.database.postgres.database_address import parse_database
    from bourre_referee.storage.run.ladder_database import ladder_in

    made = ladder_in(parse_database(url), ladder)
    made.begin()
    (path / DATABASE).write_text(f"{without_password(str(made.address))}\n", encoding="utf-8")
