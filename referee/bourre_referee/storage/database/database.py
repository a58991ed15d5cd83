"""What a store needs of its database, where SQLite and PostgreSQL differ."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Engine

from bourre_referee.storage.database.run_session import RunSession

Work = Callable[[RunSession], None]
"""Changes rows of one contest; called again if the server was gone before it was done."""


class Database(Protocol):
    """An open database; its text is what messages call it."""

    @property
    def engine(self) -> Engine:
        """The connections; each session reads a snapshot, whatever is stored meanwhile."""

    def errors_in_words(self) -> AbstractContextManager[None]:
        """Turns the database's errors inside into a StoreError that names it and gives a hint."""

    def check_opened(self, session: RunSession) -> None:
        """Checks the version and the tables, and migrates older ones if they will be written; raises StoreError."""

    def check_cells(self, session: RunSession, first: int | None = None) -> None:
        """Checks the type of every cell, of matches only those numbered from `first`; raises DamagedValue."""

    def check_contents(self, session: RunSession) -> None:
        """Checks the tables, every cell, and that every row belongs to a seat; raises DamagedValue."""

    @property
    def is_shared(self) -> bool:
        """Whether other referees may write in it at the same time."""

    def change(self, contest: int, work: Work) -> None:
        """Does the work in a transaction of its own; raises StoreError, or LeadLost if another referee leads by now.

        While a server is gone, changes may be kept and made later, in this order.
        """

    def settle(self) -> None:
        """Makes the changes that were kept, before anything is read; waits for a server that is gone."""

    def seal(self) -> None:
        """Leaves it as is best for readers, once no more is written."""
