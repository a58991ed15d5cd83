"""The format `csv`: tables for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bourre_referee.derived.run_standings import no_shows, standings_of
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
from bourre_referee.statistics.standing import escape_cell, standings_csv
from bourre_referee.storage.run import Run

TITLE = "A contest of Bourré for a spreadsheet. The format jsonl also has the records, and can be verified."


def write_csv(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Write these tables of the run, and the standings, into this empty folder."""
    (folder / "README.txt").write_text(readme_text(TITLE, tables, "csv", {"standings.csv": "the standings"}), "utf-8")
    table = standings_of(run)
    (folder / "standings.csv").write_text(standings_csv(table, no_shows(run, table)), "utf-8")
    write_tables(run, folder, tables, CSV, work)


def csv_lines(table: type[Row], rows: Iterable[Row]) -> str:
    """Encode rows as CSV: a line for each, with a newline at its end."""
    text, cells = io.StringIO(), cell_getter(table)
    csv.writer(text, lineterminator="\n").writerows(map(_cell, cells(row)) for row in rows)
    return text.getvalue()


@contextmanager
def open_csv(path: Path, table: type[Row]) -> Iterator[IO[str]]:
    """Open a new CSV file for a table, and write its headings."""
    with path.open("x", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(column.name for column in columns_of(table))
        yield file


CSV = TableFormat("csv", csv_lines, open_csv)


def _cell(cell: Cell) -> Cell:
    """Format a cell: text cannot become a formula, booleans are `true` and `false`, whole numbers have no point."""
    if isinstance(cell, str):
        return escape_cell(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
