"""Checks a database before it is trusted. Each check raises a StoreError with a hint."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Table, and_, case, func, or_, text
from sqlalchemy import select as select_cells
from sqlalchemy.dialects import sqlite
from sqlmodel import Session, col, exists
from sqlmodel import select as select_rows

from bourre_referee.model.errors import RESTORE, DamagedValue, StoreError
from bourre_referee.storage.database.older_database import OLDEST
from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.database.schema import (
    ONLY_CONTEST,
    TABLES,
    VERSION,
    FaultRow,
    RemarkRow,
    RenegeRow,
    Row,
    SeatRow,
)
from bourre_referee.storage.database.sqlite_connection import MARK
from bourre_referee.storage.database.value_checks import find_wrong_value
from bourre_referee.text.names import printable

HELD = {
    "INTEGER": ("integer",),
    "BOOLEAN": ("integer",),
    "FLOAT": ("real", "integer"),
    "VARCHAR": ("text",),
    "BLOB": ("blob",),
}
"""SQLite's names for the types of value that each type of column may hold."""


def find_wrong_cell(session: Session, first: int) -> str | None:
    """Finds the first cell whose value does not have its column's type, and describes it.

    It checks only matches numbered from `first`.
    """
    found = (_wrong_cell(session, table, first) for table in TABLES)
    return next(filter(None, found), None)


def _wrong_cell(session: Session, table: Table, first: int) -> str | None:
    keys, columns = _keys(table), list(table.columns)
    numbered = "number" in table.columns
    row = next(select(session, _query(table), (first,) if numbered else ()), None)
    if row is None:
        return None
    key = ", ".join(f"{column.name} {value!r}" for column, value in zip(keys, row, strict=False))
    pairs = zip(columns, row[len(keys) :], strict=True)
    column, held = next((column, held) for column, held in pairs if held not in _held_by(column))
    return f"table {table.name}, {key}: {column.name} holds {held}, should hold {_held_by(column)[0]}"


@cache
def _query(table: Table) -> str:
    """Compiles the query once for all databases, which takes ten times as long as running it on a small one."""
    types = list(map(_type_of, table.columns))
    query = select_cells(*_keys(table), *types).where(or_(*map(_is_wrong, table.columns))).limit(1)
    if "number" in table.columns:
        query = query.where(text(f"contest = {ONLY_CONTEST} AND number >= ?"))
    return str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))


def _keys(table: Table) -> list[Column[Any]]:
    """Returns the columns that name a row of the only contest."""
    return [column for column in table.primary_key if column.name != "contest"]


def _is_wrong(column: Column[Any]) -> ColumnElement[bool]:
    return _type_of(column).not_in(_held_by(column))


def _type_of(column: Column[Any]) -> ColumnElement[str]:
    """Returns SQLite's name for the value's type. SQLite stores booleans as integers, so other integers differ."""
    if not isinstance(column.type, Boolean):
        return func.typeof(column)
    other = and_(func.typeof(column) == "integer", column.not_in((False, True)))
    return case((other, "an integer other than 0 and 1"), else_=func.typeof(column))


def _held_by(column: Column[Any]) -> tuple[str, ...]:
    return HELD[column.type.compile(dialect=sqlite.dialect())] + (("null",) if column.nullable else ())


def find_wrong_seat(session: RunSession) -> str | None:
    """Finds the first row of a seat that its match does not have; None if there is none. No seat is below 0."""
    number, seat = col(SeatRow.number), col(SeatRow.seat)
    gaps = func.max(seat) != func.count() - 1
    seats = select_rows(number, func.count()).where(SeatRow.contest == session.contest)
    if numbered := session.exec(seats.group_by(number).having(gaps)).first():
        return f"table seat, number {numbered[0]}: its {numbered[1]} seats are not numbered from 0"
    for row in (RenegeRow, FaultRow, RemarkRow):
        same_match = and_(col(SeatRow.contest) == row.contest, number == row.number)
        at_table = exists().where(and_(same_match, seat == row.seat))
        rows = select_rows(row.number, row.seat).where(row.contest == session.contest)
        if found := session.exec(rows.where(~at_table)).first():
            return f"table {row.__tablename__}, number {found[0]}: there is no seat {found[1]} in that match"
    return None


_MADE = "SELECT type, name, rootpage, sql FROM sqlite_master ORDER BY type DESC, name"
_COLUMNS = "SELECT name, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid"


def find_wrong_table(session: RunSession) -> str | None:
    """Finds a table of a run that is no table or has an unknown or computed column; None if there is none.

    Views and generated columns are computed whenever they are read, so they cannot be trusted.
    """
    ours = Row.metadata.tables
    for kind, name, page, _ in select(session, _MADE):
        if name in ours and (kind != "table" or not page):
            return f"it has a {kind}, {name}; a run has only tables"
    found = (_wrong_column(session, table) for table in TABLES)
    return next(filter(None, found), None)


def find_extra(session: RunSession) -> str | None:
    """Finds a table, view, trigger or index that a run's database does not have; None if there is none."""
    for kind, name, _, sql in select(session, _MADE):
        if kind in ("view", "trigger"):
            return f"it has a {kind}, {name}; a run has only tables"
        # SQLite makes the indexes of keys itself, without an SQL text.
        if sql is not None and name not in Row.metadata.tables:
            return f"it has {'an' if kind == 'index' else 'a'} {kind} {name}, which no run has"
    return None


def find_other_contest(session: RunSession) -> str | None:
    """Finds a second contest, which no run folder's database has; None if there is none."""
    found = next(select(session, "SELECT id FROM contest WHERE id <> ?", (ONLY_CONTEST,)), None)
    return f"table contest: it has a contest {found[0]}, and a run folder has only {ONLY_CONTEST}" if found else None


def _wrong_column(session: RunSession, table: Table) -> str | None:
    ours = {column.name for column in table.columns}
    for name, hidden in select(session, _COLUMNS, (table.name,)):
        if name not in ours:
            return f"table {table.name} has a column {name}, which no run has"
        if hidden:
            return f"table {table.name}: {name} is computed whenever it is read"
    return None


def check_kind(session: RunSession, path: Path) -> None:
    """Checks that the database is a contest's, written by a version that this one reads."""
    if next(select(session, "PRAGMA application_id")) != (MARK,):
        raise StoreError(f"{path} is a database, but not of a contest.\nhint: use another folder")
    (version,) = next(select(session, "PRAGMA user_version"))
    if not OLDEST <= version <= VERSION:
        age = "a newer" if version > VERSION else "an older"
        raise StoreError(
            f"{path} is from {age} version of bourre (database version {version}, this one reads "
            f"{OLDEST} to {VERSION}).\nhint: use that version, or set another folder with --out"
        )


def check_tables(session: RunSession, path: Path) -> None:
    """Checks that the run's tables are real tables with the expected columns."""
    if said := find_wrong_table(session):
        raise DamagedValue(path, printable(said))


def check_pages(session: RunSession, path: Path) -> None:
    """Checks with SQLite that the whole file is sound."""
    (found,) = next(select(session, "PRAGMA quick_check(1)"))
    said = str(found).splitlines()[-1]
    if said != "ok":
        raise StoreError(f"{path} is damaged ({said}).\n{RESTORE}")


def check_new_cells(session: RunSession, path: Path, first: int = -(2**63)) -> None:
    """Checks that every cell has a valid value, for matches numbered from `first`."""
    if said := find_wrong_cell(session, first) or find_wrong_value(session, first):
        raise DamagedValue(path, said)


def check_cells(session: RunSession, path: Path) -> None:
    """Checks every cell as `check_new_cells` does, and that every row belongs to a match."""
    check_new_cells(session, path)
    if row := next(select(session, "PRAGMA foreign_key_check"), None):
        raise DamagedValue(path, f"table {row[0]} has a row of no {row[2]}")


def check_contents(session: RunSession, path: Path) -> None:
    """Checks that the database holds only a run's tables, with sound cells and existing seats."""
    if said := find_extra(session) or find_other_contest(session):
        raise DamagedValue(path, printable(said))
    check_cells(session, path)
    if said := find_wrong_seat(session):
        raise DamagedValue(path, said)
