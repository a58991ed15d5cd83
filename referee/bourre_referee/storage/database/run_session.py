"""A session with a database that reads and writes the rows of one contest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

from sqlalchemy import Dialect, Engine, Table
from sqlmodel import Session

from bourre_referee.model.errors import RESTORE, DamagedValue, StoreError
from bourre_referee.storage.database.schema import ONLY_CONTEST

Cells = dict[str, Any]
"""The cells of a row, by column."""

ROWS_AT_ONCE = 100
"""The number of rows that a server sends at a time."""


class RunSession(Session):
    """A session for one contest. All reads of a transaction see the same moment."""

    def __init__(self, engine: Engine, contest: int = ONLY_CONTEST) -> None:
        super().__init__(engine)
        self.contest = contest
        """The id of the contest, the first column of each of its rows."""

    def insert(self, table: Table, rows: Iterable[Cells]) -> None:
        """Adds rows, which all have the same columns, to the contest in one statement.

        Objects of the rows would take ten times as long, and SQLAlchemy's statement twice as long.
        """
        if not (cells := [row | {"contest": self.contest} for row in rows]):
            return
        connection, columns = self.connection(), tuple(cells[0])
        _convert(cells, table, connection.dialect)
        marks = ", ".join(["?" if connection.dialect.name == "sqlite" else "%s"] * len(columns))
        text = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"
        connection.exec_driver_sql(text, [tuple(map(row.__getitem__, columns)) for row in cells])


def _convert(cells: list[Cells], table: Table, dialect: Dialect) -> None:
    """Converts the cells to the database's values where their type differs, such as chips to text."""
    for name in cells[0]:
        if convert := table.columns[name].type.dialect_impl(dialect).bind_processor(dialect):
            for row in cells:
                row[name] = convert(row[name])


def select(session: Session, query: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a query without SQLAlchemy, which would take several times as long.

    The values replace the question marks in the query. The rows are from the moment of the session's other reads.
    """
    found = session.connection()
    connection: Any = found.connection.driver_connection
    if found.dialect.name == "sqlite":
        rows: Iterator[tuple[Any, ...]] = connection.execute(query, values)
        return rows
    return _select_at_server(connection, query.replace("?", "%s"), values)


def _select_at_server(connection: Any, query: str, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yields the rows from a server-side cursor, with a few in memory at a time."""
    with connection.cursor(f"rows_{uuid4().hex}") as cursor:
        cursor.itersize = ROWS_AT_ONCE
        cursor.execute(query, values)
        yield from cursor


def check_commitment(session: RunSession, database: str, commitment: str) -> None:
    """Checks that the database belongs to the run with this seed."""
    if contest_row(session, database)[1] != commitment:
        raise StoreError(f"{database} belongs to another run.\n{RESTORE}")


def contest_row(session: RunSession, database: str) -> tuple[str, str]:
    """Reads the name and the commitment of the contest that the database belongs to."""
    rows = list(select(session, "SELECT name, commitment FROM contest WHERE id = ?", (session.contest,)))
    if len(rows) != 1:
        raise DamagedValue(database, f"its table contest has {len(rows)} rows, should have 1")
    name, commitment = rows[0]
    return name, commitment
