"""How much room the records of a run take in its database."""

from __future__ import annotations

from pathlib import Path

from sqlmodel import Session, col, func, select

from bourre_referee.storage.schema import MatchRow
from bourre_referee.storage.sqlite_connection import engine, told


def record_bytes(database: Path) -> int:
    """Bytes of all records as they are stored; StoreError where they cannot be read."""
    connected = engine(database, "ro")
    try:
        with told(database), Session(connected) as session:
            return int(session.exec(select(func.sum(func.length(col(MatchRow.record))))).one() or 0)
    finally:
        connected.dispose()
