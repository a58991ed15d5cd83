"""Where rows go: an open file for each table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Protocol

from bourre_referee.export.table_columns import TABLES
from bourre_referee.export.table_rows import Row


class Sink(Protocol):
    """A file that takes rows of one table, in their order."""

    def add(self, row: Row) -> None:
        """Writes the row, now or by the time when the file is closed."""


OpenSink = Callable[[Path, type[Row]], AbstractContextManager[Sink]]
"""Opens a file that is not there yet for rows of a table."""


def pour(rows: Iterable[Row], folder: Path, tables: Collection[str], suffix: str, open_sink: OpenSink) -> None:
    """Writes the rows of these tables, each into the file of its name in this folder."""
    with ExitStack() as opened:
        sinks = {
            TABLES[name]: opened.enter_context(open_sink(folder / f"{name}.{suffix}", TABLES[name])) for name in tables
        }
        for row in rows:
            if sink := sinks.get(type(row)):
                sink.add(row)
