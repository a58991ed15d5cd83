"""The tables in a PostgreSQL database: their version, made or migrated."""

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
    """Reads the version of the tables; None if there are none yet, StoreError if they are another program's."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision and not revision.isdecimal():
        raise StoreError(f"{database}: another program keeps its tables there: give a database of its own")
    return int(revision) if revision else None


def check_version(found: int | None, database: object, writing: bool) -> Literal["current", "older", "none"]:
    """Says what is to be done before the tables are used; raises StoreError if nothing helps."""
    if found is not None and found > VERSION:
        raise StoreError(
            f"{database}: another version of bourre wrote it (database version {found}, this one reads {VERSION}): "
            "use that version"
        )
    if not writing and found != VERSION:
        older = f"an older version of bourre wrote it (database version {found}): continue a contest in it, which"
        why = "there is no contest of bourre in it" if found is None else f"{older} migrates it"
        raise StoreError(f"{database}: {why}; bourre run CONTEST --db ADDRESS begins one")
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
