"""The format `parquet`: typed columns for programs. Only this file uses Arrow, which is an extra."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from bourre_referee.export.export_tables import (
    TABLES,
    Cell,
    cell_getter,
    columns_of,
    readme_text,
    rows_of,
    write_tables,
)
from bourre_referee.export.table_rows import Row
from bourre_referee.storage.run_folder import RunFolder

TITLE = "A contest of Bourré for programs (Apache Parquet). The format jsonl also has the records, and can be verified."
TYPES = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
GROUP_ROWS = 50_000
"""How many rows are collected in memory and then written together."""
LARGEST = 2**63 - 1
"""The largest number in a column; chips in a pot without a limit may exceed 64 bits."""


def write_parquet(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Write these tables of the run into this empty folder."""
    (folder / "README.txt").write_text(readme_text(TITLE, tables, "parquet", {}), "utf-8")
    write_tables(rows_of(run, [TABLES[name] for name in tables]), folder, tables, "parquet", open_parquet)


class ParquetSink:
    """Writes a table in groups of rows."""

    def __init__(self, writer: Any, table: type[Row]) -> None:
        self._writer = writer
        self._cells = cell_getter(table)
        self._rows: list[tuple[Cell, ...]] = []

    def add(self, row: Row) -> None:
        """Collect the row, and write the group if it is complete."""
        self._rows.append(self._cells(row))
        if len(self._rows) == GROUP_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the collected rows."""
        if self._rows:
            schema = self._writer.schema
            columns = zip(*self._rows, strict=True)
            arrays = [
                pyarrow.array(map(_cell, cells), field.type) for cells, field in zip(columns, schema, strict=True)
            ]
            self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            self._rows.clear()


@contextmanager
def open_parquet(path: Path, table: type[Row]) -> Iterator[ParquetSink]:
    """Open a new Parquet file for a table."""
    with parquet.ParquetWriter(path, _schema(table), compression="zstd") as writer:
        sink = ParquetSink(writer, table)
        yield sink
        sink.flush()


def _schema(table: type[Row]) -> Any:
    return pyarrow.schema([pyarrow.field(column.name, TYPES[column.type]) for column in columns_of(table)])


def _cell(cell: Cell) -> Cell:
    """Return the cell; None if it is a number that does not fit into 64 bits."""
    return None if isinstance(cell, int) and not -LARGEST <= cell <= LARGEST else cell
