"""A ladder in a database: its log is rows, its epochs are contests, and its host leads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection, text

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.postgres.contest_rows import Lead, enter_contest, find_contest, take_lead
from bourre_referee.storage.database.postgres.database_address import ContestAddress, DatabaseAddress
from bourre_referee.storage.database.postgres.leader_lock import hold_leader_lock
from bourre_referee.storage.database.postgres.log_table import LogTable
from bourre_referee.storage.database.postgres.postgres_connection import engine
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.postgres.postgres_tables import check_version, find_version, prepare_tables
from bourre_referee.storage.database.sqlite_connection import MARK
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting, until_back
from bourre_referee.storage.run.database_location import DatabaseLocation

T = TypeVar("T")

_IS_TAKEN = text(
    "SELECT count(*) FROM contest WHERE name = :name AND (commitment <> '' OR leader > 0 "
    "OR id IN (SELECT contest FROM line UNION SELECT contest FROM file))"
)
_IS_SERVED = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND classid = :mark AND objid = :contest"
)


class LadderDatabase:
    """The ladder with this address. `str` omits the password. Every method raises ContestError."""

    def __init__(self, address: ContestAddress, lead: Lead | None = None, patience: Waiting = AT_ONCE) -> None:
        """With a `lead`, it appends to the log only while that leader leads."""
        self.address = address
        self._patience = patience
        self.lines = LogTable(address, lead, patience)
        """The log."""

    def __str__(self) -> str:
        return str(self.address)

    def begin(self) -> None:
        """Makes or migrates the tables, and enters the ladder. Refuses a name that is taken."""
        self._do(self._enter)

    def _enter(self, connection: Connection) -> None:
        prepare_tables(connection, self)
        if connection.execute(_IS_TAKEN, {"name": self.address.contest}).scalar():
            hint = "rename the ladder, or use another database"
            raise ContestError(f"{self}: the database has a contest or a ladder of this name.\nhint: {hint}")
        enter_contest(connection, self.address.contest)

    def check(self) -> None:
        """Raises ContestError if the ladder does not exist, or if this version cannot use it."""
        self._do(self._find)

    def epoch(self, name: str) -> DatabaseLocation:
        """Returns the place of an epoch's rooms."""
        return DatabaseLocation(ContestAddress(self.address.database, self.contest_of(self.address.contest, name)))

    def contest_of(self, ladder: str, epoch: str) -> str:
        """Returns the name of the contest that holds an epoch's rooms."""
        return f"{ladder}/{epoch}"

    def is_served(self) -> bool:
        """Whether a process leads this ladder now."""
        return self._do(
            lambda connection: bool(
                connection.execute(_IS_SERVED, {"mark": MARK, "contest": self._find(connection)}).scalar()
            )
        )

    @contextmanager
    def lead(self, patience: Waiting) -> Iterator[LadderDatabase]:
        """Takes the lead, after standing by while another host leads, and yields the ladder."""
        contest = self._do(self._find)
        with hold_leader_lock(self.address, contest, patience):
            taken = until_back(patience, lambda: self._do(lambda connection: take_lead(connection, contest)))
            yield LadderDatabase(self.address, taken, patience)

    def _find(self, connection: Connection) -> int:
        check_version(find_version(connection, self), self, writing=False)
        return find_contest(connection, self.address)

    def _do(self, work: Callable[[Connection], T]) -> T:
        """Does the work in a transaction; a leader does it again if the server was gone meanwhile."""
        return until_back(self._patience, lambda: self._once(work))

    def _once(self, work: Callable[[Connection], T]) -> T:
        made = engine(self.address.database, writing=True)
        try:
            with errors_in_words(self), made.begin() as connection:
                return work(connection)
        finally:
            made.dispose()


def ladder_in(database: DatabaseAddress, name: str) -> LadderDatabase:
    """Returns the ladder of this name in a database."""
    return LadderDatabase(ContestAddress(database, name))
