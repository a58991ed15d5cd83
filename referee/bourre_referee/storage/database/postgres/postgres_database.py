"""A PostgreSQL database for a store. Anyone may read it, and a contest's leader may change it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from sqlalchemy import Engine

from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.database_checks import find_wrong_seat
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.outbox import Outbox
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.postgres.postgres_tables import check_version, find_version
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.value_checks import find_wrong_value

T = TypeVar("T")


class PostgresDatabase:
    """A PostgreSQL database. The server checks types, and that rows belong to a match."""

    is_shared = True

    def __init__(self, address: ContestAddress, engine: Engine, outbox: Outbox | None = None) -> None:
        """Without an outbox it is read only."""
        self._address = address
        self._outbox = outbox
        self.engine = engine

    def __str__(self) -> str:
        return str(self._address)

    def errors_in_words(self) -> AbstractContextManager[None]:
        """Turns PostgreSQL's errors inside into a StoreError that names the database and gives a hint."""
        return errors_in_words(self._address)

    def check_opened(self, session: RunSession) -> None:
        """Checks the version of the tables."""
        check_version(find_version(session.connection(), self), self._address, writing=False)

    def check_cells(self, session: RunSession, first: int | None = None) -> None:
        """Checks the values of every cell, whose types the server itself checks."""
        if said := find_wrong_value(session, -(2**63) if first is None else first):
            raise DamagedValue(str(self), said)

    def check_contents(self, session: RunSession) -> None:
        """Checks every value, and that every row belongs to a seat of its match."""
        self.check_cells(session)
        if said := find_wrong_seat(session):
            raise DamagedValue(str(self), said)

    def change(self, contest: int, work: Work) -> None:
        """Does the work in its own transaction, now or when the server is back."""
        if self._outbox is None:
            raise StoreError(f"{self} is open for reading only: only the leading referee may write")
        self._outbox.change(work)

    def read(self, work: Callable[[], T]) -> T:
        """Does work that only reads; for a leader, again if the server was gone meanwhile."""
        return work() if self._outbox is None else self._outbox.read(work)

    def settle(self) -> None:
        """Makes the queued changes."""
        if self._outbox is not None:
            self._outbox.settle()

    def seal(self) -> None:
        """Does nothing, because the server serves readers at any time."""
        self.settle()
