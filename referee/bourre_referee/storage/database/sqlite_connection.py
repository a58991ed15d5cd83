"""Connects to SQLite so that committed data survives a crash, and explains its errors."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session, col, func
from sqlmodel import select as select_rows

from bourre_referee.model.errors import RESTORE, StoreError
from bourre_referee.storage.database.older_database import add_stand_ins
from bourre_referee.storage.database.schema import MatchRow
from bourre_referee.storage.files.untrusted_files import MIB, check_regular, open_regular

MARK = 0x424F5552
"""The application id of a run's database: `BOUR` in ASCII."""

WAIT_S = 10.0
"""The seconds for which a connection waits for another one's lock."""

LONGEST_VALUE = 256 * MIB
"""The most bytes of a packed record, or of any other value."""

BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite uses next to a database."""

HINTS = {
    "file is not a database": RESTORE,
    "malformed": RESTORE,
    "locked": "hint: close the other program that uses it, and run again",
    "no such": RESTORE,
    "Could not decode": RESTORE,
    "disk I/O error": "hint: check the disk and its free space, and run again",
    "full": "hint: free some disk space, and run again",
    "readonly": "hint: check the permissions of the file and its folder",
    "too big": RESTORE,
    "unable to open": "hint: check the path and its permissions",
}


def engine(path: Path, mode: str) -> Engine:
    """Connects to this file: mode `ro` reads, `rw` writes, `rwc` creates it.

    Each session reads a snapshot.
    """
    connected = create_engine("sqlite://", creator=lambda: _connect(path, mode), poolclass=QueuePool)
    event.listen(connected, "begin", _begin)
    return connected


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Only a URI keeps SQLite from creating an empty database.
    # Python's own transactions begin only before a change, not before a read.
    name = f"file:{quote(os.fsencode(path))}?mode={mode}"
    for file in (path, *(path.with_name(path.name + end) for end in BESIDE)):
        check_regular(file)
    connection = sqlite3.connect(name, uri=True, timeout=WAIT_S, isolation_level=None)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.execute("PRAGMA foreign_keys = ON")
        if mode == "ro":
            add_stand_ins(connection)
        if mode == "rw":
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # SQLite opens a read-only file without an error, so this test write finds it before play.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version = 0")
            connection.rollback()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def seal(path: Path) -> None:
    """Merges the files next to a database into it, and removes them."""
    with closing(sqlite3.connect(path, timeout=1.0)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError:
            return  # another process reads it, or the disk is full, so the files stay


def copy_database(path: Path, copy: Path) -> None:
    """Copies a database that another process may write to, as of one moment. Raises StoreError."""
    with errors_in_words(path), closing(_connect(path, "ro")) as there, closing(sqlite3.connect(copy)) as here:
        there.backup(here)
    shutil.copymode(path, copy)


@contextmanager
def errors_in_words(path: Path) -> Iterator[None]:
    """Turns SQLite's errors inside into a StoreError with the file and a hint."""
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError) as error:
        said = str(error.orig if isinstance(error, DatabaseError) else error)
        hint = next((hint for words, hint in HINTS.items() if words in said), "hint: check the disk")
        said = said.partition(" with text ")[0]  # the text may contain control characters
        raise StoreError(f"{path}: {said}.\n{hint}") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} contains invalid UTF-8.\n{RESTORE}") from error


def is_ours(path: Path) -> bool:
    """Whether this file is a run's database, by its first 100 bytes (sqlite.org/fileformat2.html).

    Raises ContestError for a link.
    """
    if not path.is_file():
        return False
    with open_regular(path) as file:
        header = file.read(100)
    return header.startswith(b"SQLite format 3\x00") and int.from_bytes(header[68:72]) == MARK


def try_database(folder: Path) -> str:
    """Writes, reads and removes a database in this folder, and returns a description. Raises StoreError."""
    try:
        with tempfile.TemporaryDirectory(prefix=".bourre-", dir=folder) as place:
            mode, number = _write_and_read(Path(place, "trial.db"))
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{folder} cannot contain a database: {error}") from error
    if (mode, number) != ("wal", 7):
        raise StoreError(f"{folder}: a database there has the journal {mode!r} instead of 'wal'")
    return f"SQLite {sqlite3.sqlite_version} with a write-ahead log"


def _write_and_read(path: Path) -> tuple[str, int]:
    with closing(sqlite3.connect(path)) as writing, closing(sqlite3.connect(path)) as reading:
        (mode,) = writing.execute("PRAGMA journal_mode = WAL").fetchone()
        writing.execute("CREATE TABLE trial (number INTEGER)")
        writing.execute("INSERT INTO trial VALUES (7)")
        writing.commit()
        (number,) = reading.execute("SELECT number FROM trial").fetchone()
        return mode, number


def record_bytes(database: Path) -> int:
    """Counts the bytes of all stored records. Raises StoreError if they cannot be read."""
    connected = engine(database, "ro")
    try:
        with errors_in_words(database), Session(connected) as session:
            return int(session.exec(select_rows(func.sum(func.length(col(MatchRow.record))))).one() or 0)
    finally:
        connected.dispose()
