"""Whether every cell holds what its column is for: SQLite itself takes any text for a number."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, func, or_, select
from sqlalchemy.dialects import sqlite
from sqlmodel import Session

from bourre_referee.store.rows import Row

HELD = {
    "INTEGER": ("integer",),
    "BOOLEAN": ("integer",),
    "FLOAT": ("real", "integer"),
    "VARCHAR": ("text",),
    "BLOB": ("blob",),
}
"""What SQLite calls the values that each type of column may hold."""


def strange_table(session: Session) -> str | None:
    """The first table with a cell of another type than its column; None where there is none."""
    for table in Row.metadata.sorted_tables:
        if session.execute(select(1).where(or_(*map(_is_strange, table.columns))).limit(1)).first():
            return table.name
    return None


def _is_strange(column: Column[Any]) -> ColumnElement[bool]:
    held = HELD[column.type.compile(dialect=sqlite.dialect())] + (("null",) if column.nullable else ())
    return func.typeof(column).not_in(held)
