"""The database in a run folder: one file of SQLite, with one contest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import text

from bourre_referee.storage.database import database_checks, sqlite_connection
from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.older_database import upgrade
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import ONLY_CONTEST, VERSION, ContestRow, Row

T = TypeVar("T")


class SqliteDatabase:
    """A file of SQLite: mode `ro` reads, `rw` writes, `rwc` creates it."""

    def __init__(self, path: Path, mode: Literal["ro", "rw", "rwc"]) -> None:
        self._path = path
        self._mode = mode
        self.engine = sqlite_connection.engine(path, mode)

    def __str__(self) -> str:
        return str(self._path)

    def errors_in_words(self) -> AbstractContextManager[None]:
        """Turns SQLite's errors inside into a StoreError with the file and a hint."""
        return sqlite_connection.errors_in_words(self._path)

    def check_opened(self, session: RunSession) -> None:
        """Checks the version and the tables, and migrates older ones before writing."""
        database_checks.check_kind(session, self._path)
        if self._mode == "rw":
            upgrade(session)
        database_checks.check_tables(session, self._path)
        if self._mode == "rw":
            database_checks.check_pages(session, self._path)

    def check_cells(self, session: RunSession, first: int | None = None) -> None:
        """Checks the type of every cell, of matches only those numbered from `first`."""
        if first is None:
            database_checks.check_cells(session, self._path)
        else:
            database_checks.check_new_cells(session, self._path, first)

    def check_contents(self, session: RunSession) -> None:
        """Checks that it holds only a run's tables, with sound cells and existing seats."""
        database_checks.check_contents(session, self._path)

    @property
    def is_shared(self) -> bool:
        """False, because the run folder's lock keeps other processes away."""
        return False

    def change(self, contest: int, work: Work) -> None:
        """Does the work in its own transaction."""
        with self.errors_in_words(), RunSession(self.engine, contest) as session:
            work(session)
            session.commit()

    def read(self, work: Callable[[], T]) -> T:
        """Does the work once, because a file is always there."""
        return work()

    def settle(self) -> None:
        """Does nothing, because each change is made at once."""

    def seal(self) -> None:
        """Merges the files next to it into the file, and removes them."""
        sqlite_connection.seal(self._path)


def create_database(path: Path, name: str, commitment: str) -> None:
    """Creates a database for the contest of this name and seed atomically."""
    making = path.with_name(f"{path.name}.new")
    making.unlink(missing_ok=True)
    engine = sqlite_connection.engine(making, "rwc")
    try:
        with sqlite_connection.errors_in_words(path):
            Row.metadata.create_all(engine, checkfirst=False)  # the file is new
            with RunSession(engine) as session:
                session.add(ContestRow(id=ONLY_CONTEST, name=name, commitment=commitment))
                session.execute(text(f"PRAGMA application_id = {sqlite_connection.MARK}"))
                session.execute(text(f"PRAGMA user_version = {VERSION}"))
                session.commit()
    finally:
        engine.dispose()
    making.replace(path)
