"""Checks that every cell holds a value of its column's type, since SQLite itself accepts text as a number."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Table, and_, case, func, or_, text
from sqlalchemy import select as select_cells
from sqlalchemy.dialects import sqlite
from sqlmodel import Session

from bourre_referee.storage.run_session import select
from bourre_referee.storage.schema import ONLY_CONTEST, TABLES

HELD = {
    "INTEGER": ("integer",),
    "BOOLEAN": ("integer",),
    "FLOAT": ("real", "integer"),
    "VARCHAR": ("text",),
    "BLOB": ("blob",),
}
"""SQLite's names for the types of value that each type of column may hold."""


def find_wrong_cell(session: Session, first: int) -> str | None:
    """Finds the first cell whose value is not of its column's type, and says what it holds.

    Of matches, it looks only at those numbered from `first`.
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
    """Returns SQLite's name for the value's type; SQLite stores booleans as integers, so others are named apart."""
    if not isinstance(column.type, Boolean):
        return func.typeof(column)
    other = and_(func.typeof(column) == "integer", column.not_in((False, True)))
    return case((other, "an integer other than 0 and 1"), else_=func.typeof(column))


def _held_by(column: Column[Any]) -> tuple[str, ...]:
    return HELD[column.type.compile(dialect=sqlite.dialect())] + (("null",) if column.nullable else ())
