"""The format `parquet`: typed columns for programs. Only this file uses Arrow, which is an extra."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from bourre_referee.export.export_tables import (
    Cell,
    TableFormat,
    Work,
    cell_getter,
    columns_of,
    readme_text,
    write_tables,
)
from bourre_referee.export.table_rows import Row
from bourre_referee.storage.run.run import Run

TITLE = "A contest of Bourré for programs (Apache Parquet). The format jsonl also has the records, and can be verified."
TYPES = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
GROUP_ROWS = 50_000
"""How many rows are collected in memory and then written together."""
LARGEST = 2**63 - 1
"""The largest number in a column. Chips in a pot without a limit may exceed 64 bits."""


def write_parquet(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Writes these tables of the run into this empty folder."""
    (folder / "README.txt").write_text(readme_text(TITLE, tables, "parquet", {}), "utf-8")
    write_tables(run, folder, tables, PARQUET, work)


def cells_of(table: type[Row], rows: Iterable[Row]) -> list[tuple[Cell, ...]]:
    """Encodes rows as their cells."""
    return list(map(cell_getter(table), rows))


class ParquetSink:
    """Writes a table in groups of rows."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._rows: list[tuple[Cell, ...]] = []

    def write(self, rows: Iterable[tuple[Cell, ...]], /) -> None:
        """Collects the rows, and writes every group that is complete."""
        self._rows += rows
        while len(self._rows) >= GROUP_ROWS:
            self._write(self._rows[:GROUP_ROWS])
            del self._rows[:GROUP_ROWS]

    def flush(self) -> None:
        """Writes the remaining rows."""
        if self._rows:
            self._write(self._rows)
            self._rows.clear()

    def _write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        schema = self._writer.schema
        columns = zip(*rows, strict=True)
        arrays = [pyarrow.array(map(_cell, cells), field.type) for cells, field in zip(columns, schema, strict=True)]
        self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


@contextmanager
def open_parquet(path: Path, table: type[Row]) -> Iterator[ParquetSink]:
    """Opens a new Parquet file for a table."""
    with parquet.ParquetWriter(path, _schema(table), compression="zstd") as writer:
        sink = ParquetSink(writer)
        yield sink
        sink.flush()


PARQUET = TableFormat("parquet", cells_of, open_parquet)


def _schema(table: type[Row]) -> Any:
    return pyarrow.schema([pyarrow.field(column.name, TYPES[column.type]) for column in columns_of(table)])


def _cell(cell: Cell) -> Cell:
    """Returns the cell. None if it is a number that does not fit into 64 bits."""
    return None if isinstance(cell, int) and not -LARGEST <= cell <= LARGEST else cell
