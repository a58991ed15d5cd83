"""The format `csv`: tables for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

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
from bourre_referee.statistics.standing import escape_formula, standings_csv
from bourre_referee.storage.run_folder import RunFolder

TITLE = "A contest of Bourré for a spreadsheet. The format jsonl also has the records, and can be verified."


def write_csv(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Write these tables of the run, and the standings, into this empty folder."""
    (folder / "README.txt").write_text(readme_text(TITLE, tables, "csv", {"standings.csv": "the standings"}), "utf-8")
    (folder / "standings.csv").write_text(standings_csv(run.standings()), "utf-8")
    write_tables(rows_of(run, [TABLES[name] for name in tables]), folder, tables, "csv", open_csv)


class CsvSink:
    """Writes a table as CSV: the headings, then a line for each row, each with a newline at its end."""

    def __init__(self, file: IO[str], table: type[Row]) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._cells = cell_getter(table)
        self._writer.writerow(column.name for column in columns_of(table))

    def add(self, row: Row) -> None:
        """Write the row."""
        self._writer.writerow(map(_cell, self._cells(row)))


@contextmanager
def open_csv(path: Path, table: type[Row]) -> Iterator[CsvSink]:
    """Open a new CSV file for a table."""
    with path.open("x", encoding="utf-8", newline="") as file:
        yield CsvSink(file, table)


def _cell(cell: Cell) -> Cell:
    """Format a cell: text cannot become a formula, booleans are `true` and `false`, whole numbers have no point."""
    if isinstance(cell, str):
        return escape_formula(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
