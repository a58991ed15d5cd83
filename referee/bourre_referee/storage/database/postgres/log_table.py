"""The lines of a ladder's log in a database: appended by one process at a time, and by a host only while it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import TypeVar

import psycopg

from bourre_referee.model.errors import ContestError, LeadLost, StoreError, StoreGone
from bourre_referee.storage.database.postgres.contest_rows import Lead
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.postgres_connection import SILENT_S, connect
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.sqlite_connection import MARK
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting

T = TypeVar("T")

APPENDING = MARK + 1
"""The first number of the advisory lock of who appends; the second one is the ladder's id."""

RETRY_S = 1.0
"""How many seconds pass between two tries to reach a server that is gone."""

AT_A_TIME = 1_000
"""How many lines are read at a time."""


class LogTable:
    """The lines of one ladder; a position is a number of lines. Waits with patience while the server is gone."""

    def __init__(self, address: ContestAddress, lead: Lead | None = None, patience: Waiting = AT_ONCE) -> None:
        """With a `lead`, whatever is appended is stored only if that leader still leads."""
        self._address = address
        self._lead = lead
        self._patience = patience
        self._locked: psycopg.Connection | None = None
        """The session that holds the lock, between calls in its block."""

    def __str__(self) -> str:
        return str(self._address)

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position."""
        while rows := self._do(partial(self._read, position)):
            for place, line in rows:
                if place != position + 1:
                    raise StoreError(f"{self}: line {position + 1} of the log is missing: restore a backup")
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
        """Waits until no other process appends, or until that one falls silent; raises LeadLost if the lead is."""
        try:
            self._do(self._check_lead, keep=True)
            yield
        finally:
            self._close()

    def append(self, lines: Sequence[str], position: int) -> int:
        """Stores the lines in one transaction that checks that nobody appended meanwhile, and who leads.

        If the server was gone before it said whether they are stored, they are looked for.
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
                return  # an earlier try stored them although the server then was gone
            if found:
                text = "another process appended to the log while the server was gone"
                raise StoreError(f"{self}: {text}; nothing of this is stored: do it again")
            with connection.cursor() as cursor:
                values = [(contest, place, line) for place, line in rows]
                cursor.executemany("INSERT INTO line (contest, place, line) VALUES (%s, %s, %s)", values)

    def _change(self, connection: psycopg.Connection) -> int:
        """Notes that the ladder changes, which a take-over waits for, and returns its id; raises LeadLost."""
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
            raise ContestError(f"{self}: there is no ladder of this name in the database: restore a backup")
        return int(found[0])

    def _do(self, work: Callable[[psycopg.Connection], T], keep: bool = False) -> T:
        """Does the work in the session with the lock, or in one of its own; with `keep`, takes and keeps the lock."""
        told = False
        while True:
            try:
                with errors_in_words(self):
                    if keep and self._locked is None:
                        self._locked = self._lock()
                    if self._locked is not None:
                        return work(self._locked)
                    with closing(self._connect()) as connection:
                        return work(connection)
            except StoreGone as gone:
                keep = keep or self._locked is not None
                self._close()
                if not told:
                    self._patience.tell(f"{gone}; no room is called until it is back, and what was played is kept")
                told = True
                if not self._patience.wait(RETRY_S):
                    raise

    def _lock(self) -> psycopg.Connection:
        connection = self._connect()
        try:
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (APPENDING, self._find(connection)))
            connection.execute(f"SET idle_session_timeout = {SILENT_S * 1000:.0f}")
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
    text = "another host serves this ladder by now; what this one did since then is not stored"
    return LeadLost(f"{ladder}: {text}, and nothing is lost by ending it")
