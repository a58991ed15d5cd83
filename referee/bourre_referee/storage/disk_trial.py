"""Whether a database can be kept in a folder: not on every disk, network disks above all."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from bourre_referee.model.errors import StoreError


def try_database(folder: Path) -> str:
    """Writes one there and reads it again, then removes it; says what it was. Raises StoreError with the reason."""
    try:
        with tempfile.TemporaryDirectory(prefix=".bourre-", dir=folder) as place:
            mode, number = _written_and_read(Path(place, "trial.db"))
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{folder}: no database can be kept there: {error}") from error
    if (mode, number) != ("wal", 7):
        raise StoreError(f"{folder}: a database there has the journal {mode!r} instead of 'wal'")
    return f"SQLite {sqlite3.sqlite_version} with a write-ahead log"


def _written_and_read(path: Path) -> tuple[str, int]:
    with closing(sqlite3.connect(path)) as writing, closing(sqlite3.connect(path)) as reading:
        (mode,) = writing.execute("PRAGMA journal_mode = WAL").fetchone()
        writing.execute("CREATE TABLE trial (number INTEGER)")
        writing.execute("INSERT INTO trial VALUES (7)")
        writing.commit()
        (number,) = reading.execute("SELECT number FROM trial").fetchone()
        return mode, number
