"""Explains PostgreSQL's errors, with hints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError

from bourre_referee.model.errors import StoreError, StoreGone

GONE = "start it, or check the network (finished matches are stored)"

GONE_STATES = {"57P01", "57P02", "57P03", "57P05", "25P03"}
"""SQLSTATE of a server that shuts down, crashed or starts, and of a session that it ended."""

HINTS = {
    "28P01": "set PGPASSWORD, or add the password to ~/.pgpass",
    "28000": "check the user's name and pg_hba.conf",
    "3D000": "run createdb, or check the database's name",
    "42501": "GRANT the user this right, or connect as the owner of the tables",
    "25006": "connect to the primary, because this server is a standby",
    "53100": "free space on the server's disk, and run again",
    "53200": "free memory on the server, and run again",
    "53300": "raise max_connections on the server, or stop other programs",
    "42704": "use PostgreSQL 14 or newer",
    "42P01": "restore the database from a backup, or use a new one",
    "42703": "restore the database from a backup, or use a new one",
}
"""The hints by SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html)."""

SAID = {
    "password": "28P01",
    "pg_hba.conf": "28000",
    "role": "28000",
    "authentication failed": "28000",
    "database": "3D000",
    "too many clients": "53300",
    "connection slots": "53300",
}
"""The SQLSTATE of a refused connection, by words of the message, because psycopg does not give it."""

NO_CONNECTION = re.compile(
    r"refused|no such file|timeout|timed out|unreachable|no route|resolve|closed the connection|starting up|"
    r"shutting down|not (yet )?accepting|in recovery mode|terminating connection|connection is (closed|lost)|"
    r"connection reset|could not (connect|translate)",
    re.IGNORECASE,
)


@contextmanager
def errors_in_words(database: object) -> Iterator[None]:
    """Turns PostgreSQL's errors inside into a StoreError with a hint, or StoreGone if the server may come back."""
    try:
        yield
    except (DBAPIError, psycopg.Error) as error:
        found = error.orig if isinstance(error, DBAPIError) else error
        raise explain(database, found if isinstance(found, psycopg.Error) else psycopg.Error(str(found))) from error
    except UnicodeError as error:
        raise StoreError(
            f"{database} contains text that is not UTF-8.\nhint: restore the database from a backup"
        ) from error


def explain(database: object, error: psycopg.Error) -> StoreError:
    """Returns the error in words."""
    said = _first_line(error)
    if is_gone(error):
        return StoreGone(f"{database}: the server is gone: {said}.\nhint: {GONE}")
    state = error.sqlstate or next((state for words, state in SAID.items() if words in said), "")
    hint = HINTS.get(state, "check the server's log, and run again")
    return StoreError(f"{database}: {said}.\nhint: {hint}")


def is_gone(error: psycopg.Error) -> bool:
    """Whether the connection failed, so that a later try may succeed."""
    if error.sqlstate:
        return error.sqlstate in GONE_STATES or error.sqlstate.startswith("08")
    return isinstance(error, psycopg.OperationalError) and bool(NO_CONNECTION.search(str(error)))


def _first_line(error: psycopg.Error) -> str:
    """Returns the first line of the server's message, or why the connection failed, without further advice."""
    lines = [line for line in str(error).splitlines() if line.strip() and not line[0].isspace()]
    said = error.diag.message_primary or (lines[-1] if lines else type(error).__name__)
    return said.rpartition("FATAL:")[2].strip()
