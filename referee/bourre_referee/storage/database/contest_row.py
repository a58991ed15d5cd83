"""Reads to which contest a database's rows belong."""

from __future__ import annotations

from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.storage.database.run_session import RunSession, select


def check_commitment(session: RunSession, database: str, commitment: str) -> None:
    """Checks that the database belongs to the run with this seed."""
    if contest_row(session, database)[1] != commitment:
        raise StoreError(f"{database}: it belongs to another run: restore this run's file, or use --fresh")


def contest_row(session: RunSession, database: str) -> tuple[str, str]:
    """Reads the name and the commitment of the contest that the database belongs to."""
    rows = list(select(session, "SELECT name, commitment FROM contest WHERE id = ?", (session.contest,)))
    if len(rows) != 1:
        raise DamagedValue(database, f"its table contest has {len(rows)} rows, should have 1")
    name, commitment = rows[0]
    return name, commitment
