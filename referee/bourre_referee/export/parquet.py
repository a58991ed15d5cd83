"""The format `parquet`: typed columns for programs. Only this file uses Arrow, which is an extra."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from bourre_referee.export.export_tables import TABLES, Cell, cells_of, columns_of, pour, readme, rows_of
from bourre_referee.export.table_rows import Row
from bourre_referee.storage.run_folder import RunFolder

TITLE = "A contest of Bourré for programs (Apache Parquet). The format jsonl also has the records, and can be verified."
TYPES = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
GROUP = 50_000
"""How many rows are held in memory until they are written together."""
LARGEST = 2**63 - 1
"""Columns of chips, which in a pot without a limit may need more than 64 bits."""


def write_parquet(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Write these tables of the run into this empty folder."""
    (folder / "README.txt").write_text(readme(TITLE, tables, "parquet", {}), "utf-8")
    pour(rows_of(run, [TABLES[name] for name in tables]), folder, tables, "parquet", open_groups)


class Groups:
    """Writes a table in groups of rows."""

    def __init__(self, writer: Any, table: type[Row]) -> None:
        self._writer = writer
        self._cells = cells_of(table)
        self._rows: list[tuple[Cell, ...]] = []

    def add(self, row: Row) -> None:
        """Keep the row, and write a group if there are enough."""
        self._rows.append(self._cells(row))
        if len(self._rows) == GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the kept rows."""
        if self._rows:
            schema = self._writer.schema
            columns = zip(*self._rows, strict=True)
            arrays = [
                pyarrow.array(map(_cell, cells), field.type) for cells, field in zip(columns, schema, strict=True)
            ]
            self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            self._rows.clear()


@contextmanager
def open_groups(path: Path, table: type[Row]) -> Iterator[Groups]:
    """Open a new Parquet file for a table."""
    with parquet.ParquetWriter(path, _schema(table), compression="zstd") as writer:
        groups = Groups(writer, table)
        yield groups
        groups.flush()


def _schema(table: type[Row]) -> Any:
    return pyarrow.schema([pyarrow.field(column.name, TYPES[column.type]) for column in columns_of(table)])


def _cell(cell: Cell) -> Cell:
    """Return the cell; None if it does not fit into 64 bits."""
    return None if isinstance(cell, int) and not -LARGEST <= cell <= LARGEST else cell
