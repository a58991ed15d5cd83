"""The format `csv`: tables for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bourre_referee.export.export_tables import TABLES, Cell, cells_of, columns_of, pour, readme, rows_of
from bourre_referee.export.table_rows import Row
from bourre_referee.statistics.standing import as_text, sheet
from bourre_referee.storage.run_folder import RunFolder

TITLE = "A contest of Bourré for a spreadsheet. The format jsonl also has the records, and can be verified."


def write_csv(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Write these tables of the run, and the standings, into this empty folder."""
    (folder / "README.txt").write_text(readme(TITLE, tables, "csv", {"standings.csv": "the standings"}), "utf-8")
    (folder / "standings.csv").write_text(sheet(run.standings()), "utf-8")
    pour(rows_of(run, [TABLES[name] for name in tables]), folder, tables, "csv", open_sheet)


class Sheet:
    """Writes a table as CSV: headings, then a line for each row; every line ends with a newline."""

    def __init__(self, file: IO[str], table: type[Row]) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._cells = cells_of(table)
        self._writer.writerow(column.name for column in columns_of(table))

    def add(self, row: Row) -> None:
        """Write the row."""
        self._writer.writerow(map(_cell, self._cells(row)))


@contextmanager
def open_sheet(path: Path, table: type[Row]) -> Iterator[Sheet]:
    """Open a new CSV file for a table."""
    with path.open("x", encoding="utf-8", newline="") as file:
        yield Sheet(file, table)


def _cell(cell: Cell) -> Cell:
    """Format a cell: no text becomes a formula, booleans are `true` and `false`, whole numbers have no point."""
    if isinstance(cell, str):
        return as_text(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
