"""Explains PostgreSQL's errors: what happened, and what helps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError

from bourre_referee.model.errors import StoreError, StoreGone

GONE = "the server is gone: start it, or check the network; finished matches are stored"

GONE_STATES = {"57P01", "57P02", "57P03", "57P05", "25P03"}
"""SQLSTATE of a server that shuts down, crashed or starts, and of a session that it ended."""

HINTS = {
    "28P01": "the password is wrong: set PGPASSWORD, or write it into ~/.pgpass",
    "28000": "the server does not let this user in: check the user's name and pg_hba.conf",
    "3D000": "there is no such database: make it with createdb, or check its name",
    "42501": "the user may not do this: GRANT it the right, or connect as the owner of the tables",
    "25006": "the server takes no changes: it is a standby; connect to the primary",
    "53100": "the server's disk is full: free space there and run again; finished matches are stored",
    "53200": "the server is out of memory: free some and run again; finished matches are stored",
    "53300": "the server has too many connections: raise max_connections, or stop other programs",
    "42704": "the server is too old: bourre needs PostgreSQL 14 or newer",
    "42P01": "its tables are not those of bourre: restore a backup, or give a new database",
    "42703": "its tables are not those of bourre: restore a backup, or give a new database",
}
"""What helps, by SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html)."""

SAID = {
    "password": "28P01",
    "pg_hba.conf": "28000",
    "role": "28000",
    "authentication failed": "28000",
    "database": "3D000",
    "too many clients": "53300",
    "connection slots": "53300",
}
"""The SQLSTATE of a refused connection, which psycopg does not tell, by words of its message."""

NO_CONNECTION = re.compile(
    r"refused|no such file|timeout|timed out|unreachable|no route|resolve|closed the connection|starting up|"
    r"shutting down|not yet accepting|connection is (closed|lost)|connection reset|could not (connect|translate)",
    re.IGNORECASE,
)


@contextmanager
def errors_in_words(database: object) -> Iterator[None]:
    """Turns PostgreSQL's errors inside into a StoreError with a hint, StoreGone if the server may come back."""
    try:
        yield
    except (DBAPIError, psycopg.Error) as error:
        found = error.orig if isinstance(error, DBAPIError) else error
        raise explain(database, found if isinstance(found, psycopg.Error) else psycopg.Error(str(found))) from error
    except UnicodeError as error:
        raise StoreError(f"{database}: it contains text that is not UTF-8; restore a backup") from error


def explain(database: object, error: psycopg.Error) -> StoreError:
    """Returns the error in words."""
    said = _first_line(error)
    if is_gone(error):
        return StoreGone(f"{database}: {said}; {GONE}")
    state = error.sqlstate or next((state for words, state in SAID.items() if words in said), "")
    hint = HINTS.get(state, "check the server's log, and run again; finished matches are stored")
    return StoreError(f"{database}: {said}; {hint}")


def is_gone(error: psycopg.Error) -> bool:
    """Whether the connection failed, so that the same may succeed once the server is back."""
    if error.sqlstate:
        return error.sqlstate in GONE_STATES or error.sqlstate.startswith("08")
    return isinstance(error, psycopg.OperationalError) and bool(NO_CONNECTION.search(str(error)))


def _first_line(error: psycopg.Error) -> str:
    """Returns what the server said, or why there is no connection to it, without the advice below that."""
    lines = [line for line in str(error).splitlines() if line.strip() and not line[0].isspace()]
    said = error.diag.message_primary or (lines[-1] if lines else type(error).__name__)
    return said.rpartition("FATAL:")[2].strip()
