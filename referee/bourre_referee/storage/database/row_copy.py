"""Reads all rows of a contest's matches as they are, and writes them into another database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Table, delete, select

from bourre_referee.storage.database.run_session import ROWS_AT_ONCE, Cells, RunSession
from bourre_referee.storage.database.schema import TABLES, ContestRow, FileRow, LineRow

Rows = tuple[Table, list[Cells]]
"""Some rows of a table."""

_OTHERS = {row.__tablename__ for row in (ContestRow, FileRow, LineRow)}
_OF_MATCHES = [table for table in TABLES if table.name not in _OTHERS]


def all_rows(session: RunSession) -> Iterator[Rows]:
    """Yields the rows of a contest's matches, a few at a time, each table after those that it refers to."""
    for table in _OF_MATCHES:
        rows = select(table).where(table.columns["contest"] == session.contest).order_by(*table.primary_key)
        found = session.execute(rows, execution_options={"yield_per": ROWS_AT_ONCE})
        for part in found.mappings().partitions():
            yield table, [dict(row) for row in part]


def replace_rows(session: RunSession, found: Iterable[Rows]) -> None:
    """Replaces the contest's rows with these."""
    for table in reversed(_OF_MATCHES):
        session.execute(delete(table).where(table.columns["contest"] == session.contest))
    for table, rows in found:
        session.insert(table, rows)
