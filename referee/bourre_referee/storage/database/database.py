"""The operations of a store that differ between SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Engine

from bourre_referee.storage.database.run_session import RunSession

P = ParamSpec("P")
T = TypeVar("T")

Work = Callable[[RunSession], None]
"""Changes rows of one contest. It is called again if the server was gone before it completed."""


class Database(Protocol):
    """An open database. `str` gives its name in messages."""

    @property
    def engine(self) -> Engine:
        """The connections. Each session reads a snapshot."""

    def errors_in_words(self) -> AbstractContextManager[None]:
        """Turns the database's errors inside into a StoreError with a hint."""

    def check_opened(self, session: RunSession) -> None:
        """Checks the version and the tables, and migrates older ones before writing. Raises StoreError."""

    def check_cells(self, session: RunSession, first: int | None = None) -> None:
        """Checks the type of every cell, of matches only those numbered from `first`; raises DamagedValue."""

    def check_contents(self, session: RunSession) -> None:
        """Checks the tables, every cell, and that every row belongs to a seat; raises DamagedValue."""

    @property
    def is_shared(self) -> bool:
        """Whether other referees may write in it at the same time."""

    def change(self, contest: int, work: Work) -> None:
        """Does the work in its own transaction. Raises StoreError, or LeadLost if another referee leads now.

        While a server is gone, changes may be queued and made later, in order.
        """

    def read(self, work: Callable[[], T]) -> T:
        """Does work that only reads; for a leader, again if its server was gone meanwhile."""

    def settle(self) -> None:
        """Makes queued changes, so that they can be read. Waits for a server that is gone."""

    def seal(self) -> None:
        """Prepares it for readers, after the last write."""


class InDatabase(Protocol):
    """Anything whose data is in a database."""

    @property
    def database(self) -> Database:
        """The open database."""


S = TypeVar("S", bound=InDatabase)


def reading(read: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Makes a method that only reads wait for a server that is gone, where the database of a leader does."""

    @wraps(read)
    def again(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.database.read(lambda: read(store, *args, **kwargs))

    return again
