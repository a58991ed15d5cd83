"""The lock of a contest's leader: held by a session of its own, which the server ends when it falls silent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.postgres_connection import connect, end_when_silent
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words, is_gone
from bourre_referee.storage.database.postgres.session_beat import SessionBeat
from bourre_referee.storage.database.sqlite_connection import MARK
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting, until_back


@contextmanager
def hold_leader_lock(address: ContestAddress, contest: int, patience: Waiting | None) -> Iterator[None]:
    """Holds the lock of this contest, and shows that this process lives.

    If another holds it, this stands by until that one ends or falls silent; without patience it raises ContestError.
    """
    session = _LeaderSession(address, contest, _take(address, contest, patience))
    try:
        with SessionBeat(session.show_life):
            yield
    finally:
        session.close()


def _take(address: ContestAddress, contest: int, patience: Waiting | None) -> psycopg.Connection:
    """Waits for the lock, whatever happens to the server meanwhile."""
    told = False

    def once() -> psycopg.Connection:
        nonlocal told
        with errors_in_words(address), _closed_on_error(_connect(address)) as connection:
            if _try_lock(connection, contest):
                return connection
            if patience is None:
                text = "another referee leads this contest.\nhint: stop it and run again, or wait for it"
                raise ContestError(f"{address}: {text}")
            if not told:
                text = f"another referee leads {address}. This one takes over if that one ends or falls silent."
                patience.tell(f"standing by: {text}")
            told = True
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (MARK, contest))
            end_when_silent(connection)
            return connection

    return until_back(patience or AT_ONCE, once)


def _connect(address: ContestAddress) -> psycopg.Connection:
    connection = connect(address.database, writing=True)
    connection.autocommit = True
    return connection


def _try_lock(connection: psycopg.Connection, contest: int) -> bool:
    (taken,) = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (MARK, contest)).fetchone() or (False,)
    if taken:
        end_when_silent(connection)
    return bool(taken)


@contextmanager
def _closed_on_error(connection: psycopg.Connection) -> Iterator[psycopg.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


class _LeaderSession:
    """The session with the lock. Its signs of life take the lock again after the server was gone.

    That the lock is lost needs no telling: whoever takes it raises the leader's number, which each change checks.
    """

    def __init__(self, address: ContestAddress, contest: int, connection: psycopg.Connection) -> None:
        self._address = address
        self._contest = contest
        self._connection = connection

    def show_life(self) -> bool:
        """Shows the server that this process lives. Returns False if the lock is lost for good."""
        try:
            if not self._connection.closed:
                self._connection.execute("SELECT 1")
                return True
            self._connection = _connect(self._address)
            return _try_lock(self._connection, self._contest)
        except psycopg.Error as error:
            self._connection.close()
            return is_gone(error)

    def close(self) -> None:
        """Ends the session, and with it the lock."""
        self._connection.close()
