"""The lines of a ladder's log in a database. One process appends at a time, and a host only while it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TypeVar

import psycopg

from bourre_referee.model.errors import ContestError, LeadLost, StoreError, StoreGone
from bourre_referee.storage.database.postgres.contest_rows import Lead
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.postgres_connection import connect, end_when_silent
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.postgres.session_beat import SessionBeat
from bourre_referee.storage.database.sqlite_connection import MARK
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting, until_back

T = TypeVar("T")

APPENDING = MARK + 1
"""The first number of the advisory lock for appending. The second one is the ladder's id."""

AT_A_TIME = 1_000
"""The number of lines that are read at a time."""


class LogTable:
    """The lines of one ladder. A position is a number of lines. It waits with `patience` while the server is gone."""

    def __init__(self, address: ContestAddress, lead: Lead | None = None, patience: Waiting = AT_ONCE) -> None:
        """With a `lead`, it appends only if that leader still leads."""
        self._address = address
        self._lead = lead
        self._patience = patience
        self._locked: psycopg.Connection | None = None
        """The session with the lock, between calls in its block."""

    def __str__(self) -> str:
        return str(self._address)

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position."""
        while rows := self._do(partial(self._read, position)):
            for place, line in rows:
                if place != position + 1:
                    raise StoreError(
                        f"{self}: line {position + 1} of the log is missing.\nhint: restore the database from a backup"
                    )
                position = place
                yield f"{line}\n".encode(), position
            if len(rows) < AT_A_TIME:
                return

    def _read(self, position: int, connection: psycopg.Connection) -> list[tuple[int, str]]:
        found = connection.execute(
            "SELECT place, line FROM line WHERE contest = %s AND place > %s ORDER BY place LIMIT %s",
            (self._find(connection), position, AT_A_TIME),
        )
        return [(int(place), str(line)) for place, line in found]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Waits until no other process appends, or until that process falls silent. Raises LeadLost."""
        try:
            self._do(self._check_lead, keep=True)
            with SessionBeat(self._show_life):
                yield
        finally:
            self._close()

    def append(self, lines: Sequence[str], position: int) -> int:
        """Stores the lines in one transaction, which checks the position and the lead.

        If the server was gone before it confirmed, checks whether the lines are stored.
        """
        rows = [(position + number, line.removesuffix("\n")) for number, line in enumerate(lines, start=1)]
        self._do(lambda connection: self._insert(connection, rows, position), keep=True)
        return position + len(rows)

    def _insert(self, connection: psycopg.Connection, rows: list[tuple[int, str]], position: int) -> None:
        with connection.transaction():
            contest = self._change(connection)
            found = connection.execute(
                "SELECT place, line FROM line WHERE contest = %s AND place > %s ORDER BY place", (contest, position)
            ).fetchall()
            if found == rows:
                return  # an earlier try stored them before the server was gone
            if found:
                text = "another process appended to the log while the server was gone"
                raise StoreError(f"{self}: {text}, so nothing of this is stored.\nhint: run the command again")
            with connection.cursor() as cursor:
                values = [(contest, place, line) for place, line in rows]
                cursor.executemany("INSERT INTO line (contest, place, line) VALUES (%s, %s, %s)", values)

    def _change(self, connection: psycopg.Connection) -> int:
        """Counts a change of the ladder, for which a take-over waits, and returns the ladder's id. Raises LeadLost."""
        contest, leader = self._find(connection), self._lead.leader if self._lead else None
        changed = connection.execute(
            "UPDATE contest SET changes = changes + 1 WHERE id = %s AND (%s::int IS NULL OR leader = %s)",
            (contest, leader, leader),
        )
        if not changed.rowcount:
            raise _lead_lost(self)
        return contest

    def _check_lead(self, connection: psycopg.Connection) -> None:
        found = connection.execute("SELECT leader FROM contest WHERE name = %s", (self._address.contest,)).fetchone()
        if self._lead and found != (self._lead.leader,):
            raise _lead_lost(self)

    def _find(self, connection: psycopg.Connection) -> int:
        found = connection.execute("SELECT id FROM contest WHERE name = %s", (self._address.contest,)).fetchone()
        if found is None:
            raise ContestError(
                f"{self}: the database has no ladder of this name.\nhint: restore the database from a backup"
            )
        return int(found[0])

    def _do(self, work: Callable[[psycopg.Connection], T], keep: bool = False) -> T:
        """Does the work in the session with the lock, or in a new session. With `keep`, it takes and keeps the lock."""
        keep = keep or self._locked is not None

        def once() -> T:
            try:
                with errors_in_words(self):
                    if keep and self._locked is None:
                        self._locked = self._lock()
                    if self._locked is not None:
                        return work(self._locked)
                    with closing(self._connect()) as connection:
                        return work(connection)
            except StoreGone:
                self._close()
                raise

        return until_back(self._patience, once)

    def _show_life(self) -> bool:
        with suppress(psycopg.Error):  # whoever uses the session meets the same error
            if session := self._locked:
                session.execute("SELECT 1")
        return True

    def _lock(self) -> psycopg.Connection:
        connection = self._connect()
        try:
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (APPENDING, self._find(connection)))
            end_when_silent(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> psycopg.Connection:
        connection = connect(self._address.database, writing=True)
        connection.autocommit = True
        return connection

    def _close(self) -> None:
        """Ends the session with the lock."""
        if self._locked is not None:
            self._locked.close()
            self._locked = None


def _lead_lost(ladder: object) -> LeadLost:
    text = "another host serves this ladder now. What this one did since then is not stored"
    return LeadLost(f"{ladder}: {text}, so you can end it.")
