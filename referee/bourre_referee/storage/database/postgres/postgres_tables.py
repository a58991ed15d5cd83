"""Makes or migrates the tables in a PostgreSQL database."""

from __future__ import annotations

from typing import Literal

from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from bourre_referee.model.errors import StoreError
from bourre_referee.storage.database.migration import migrate, revision_of, revisions
from bourre_referee.storage.database.schema import VERSION, Row
from bourre_referee.storage.database.sqlite_connection import MARK

VERSIONS = "alembic_version"
"""Alembic's table, whose one row names the version."""


def find_version(connection: Connection, database: object) -> int | None:
    """Reads the version of the tables; None if there are none yet. Raises StoreError for another program's."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision and not revision.isdecimal():
        raise StoreError(f"{database} contains tables of another program.\nhint: use another database")
    return int(revision) if revision else None


def check_version(found: int | None, database: object, writing: bool) -> Literal["current", "older", "none"]:
    """Returns the state of the tables. Raises StoreError if they cannot be used."""
    if found is not None and found > VERSION:
        raise StoreError(
            f"{database} is from a newer version of bourre (database version {found}, this one reads {VERSION}).\n"
            "hint: use that version"
        )
    if not writing and found != VERSION:
        older = f"an older version of bourre wrote it (database version {found}): continue a contest in it, which"
        why = "it has no contest of bourre" if found is None else f"{older} migrates it"
        raise StoreError(f"{database}: {why}.\nhint: run bourre run CONTEST --db ADDRESS")
    return "current" if found == VERSION else "older" if found else "none"


def prepare_tables(connection: Connection, database: object) -> None:
    """Makes the tables, or migrates older ones, in the connection's transaction, one process at a time."""
    if check_version(find_version(connection, database), database, writing=True) == "current":
        return
    connection.execute(text("SELECT pg_advisory_xact_lock(:mark)"), {"mark": MARK})
    version = find_version(connection, database)  # another process may have done it meanwhile
    if version is None:
        Row.metadata.create_all(connection)
    elif version < VERSION:
        migrate(connection, version)
    MigrationContext.configure(connection).stamp(revisions(), revision_of(VERSION))
