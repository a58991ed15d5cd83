"""Whether every cell holds what its column is for: SQLite itself takes any text for a number."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Table, and_, case, func, or_, select
from sqlalchemy.dialects import sqlite
from sqlmodel import Session

from bourre_referee.storage.schema import Row

HELD = {
    "INTEGER": ("integer",),
    "BOOLEAN": ("integer",),
    "FLOAT": ("real", "integer"),
    "VARCHAR": ("text",),
    "BLOB": ("blob",),
}
"""What SQLite calls the values that each type of column may hold."""


def strange_cell(session: Session) -> str | None:
    """Where the first cell is whose type is not its column's, and what it holds; None where there is none."""
    found = (_strange_cell(session, table) for table in Row.metadata.sorted_tables)
    return next(filter(None, found), None)


def _strange_cell(session: Session, table: Table) -> str | None:
    keys, columns = list(table.primary_key), list(table.columns)
    row = session.connection().exec_driver_sql(_question(table)).first()
    if row is None:
        return None
    key = ", ".join(f"{column.name} {value!r}" for column, value in zip(keys, row, strict=False))
    pairs = zip(columns, row[len(keys) :], strict=True)
    column, held = next((column, held) for column, held in pairs if held not in _held_by(column))
    return f"table {table.name}, {key}: {column.name} holds {held}, should hold {_held_by(column)[0]}"


@cache
def _question(table: Table) -> str:
    """Put together once for all databases: it takes ten times as long as to ask it of a small one."""
    types = list(map(_sort_of, table.columns))
    asked = select(*table.primary_key, *types).where(or_(*map(_is_strange, table.columns))).limit(1)
    return str(asked.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))


def _is_strange(column: Column[Any]) -> ColumnElement[bool]:
    return _sort_of(column).not_in(_held_by(column))


def _sort_of(column: Column[Any]) -> ColumnElement[str]:
    """What SQLite calls the value; to it a truth value is any integer."""
    if not isinstance(column.type, Boolean):
        return func.typeof(column)
    other = and_(func.typeof(column) == "integer", column.not_in((False, True)))
    return case((other, "an integer other than 0 and 1"), else_=func.typeof(column))


def _held_by(column: Column[Any]) -> tuple[str, ...]:
    return HELD[column.type.compile(dialect=sqlite.dialect())] + (("null",) if column.nullable else ())
