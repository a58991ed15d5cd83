"""Writes the tables of a run into a new folder, which appears complete or not at all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from bourre_referee.derived.run_standings import no_shows, standings_of
from bourre_referee.export.export_tables import (
    TABLES,
    Cell,
    TableFormat,
    Work,
    cell_getter,
    columns_of,
    readme_text,
    stored_matches,
    write_tables,
)
from bourre_referee.export.jsonl_lines import ExportedLine, ExportedMatch, ExportLayout, TimesLine, VoidLine
from bourre_referee.export.table_rows import Row
from bourre_referee.model.errors import ContestError
from bourre_referee.model.stored import StoredMatch
from bourre_referee.statistics.standing import escape_cell, standings_csv
from bourre_referee.storage.files.atomic import new_folder
from bourre_referee.storage.run.run import Run

CSV_TITLE = "A contest of Bourré for a spreadsheet. The format jsonl also has the records, and can be verified."


def write_csv(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Writes these tables of the run, and the standings, into this empty folder."""
    (folder / "README.txt").write_text(
        readme_text(CSV_TITLE, tables, "csv", {"standings.csv": "the standings"}), "utf-8"
    )
    table = standings_of(run)
    (folder / "standings.csv").write_text(standings_csv(table, no_shows(run, table)), "utf-8")
    write_tables(run, folder, tables, CSV, work)


def csv_lines(table: type[Row], rows: Iterable[Row]) -> str:
    """Encodes rows as CSV, each with a newline at its end."""
    text, cells = io.StringIO(), cell_getter(table)
    csv.writer(text, lineterminator="\n").writerows(map(_cell, cells(row)) for row in rows)
    return text.getvalue()


@contextmanager
def open_csv(path: Path, table: type[Row]) -> Iterator[IO[str]]:
    """Opens a new CSV file for a table, and writes its headings."""
    with path.open("x", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(column.name for column in columns_of(table))
        yield file


CSV = TableFormat("csv", csv_lines, open_csv)


def _cell(cell: Cell) -> Cell:
    """Formats a cell: text cannot become a formula, booleans are `true` and `false`, whole numbers have no point."""
    if isinstance(cell, str):
        return escape_cell(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


JSONL_TITLE = """\
A contest of Bourré, exported. `bourre verify` checks this folder.
docs/data.md of bourre explains the files outside of tables/."""

FILES: Mapping[str, str] = {
    "manifest.json": "terms, bots, commitment to the seed and the seed, digest and chain",
    "standings.json": "the final standings, written when all matches are finished",
    "matches.jsonl": "a line for each finished match, in schedule order: attempt, isolation, result, faults",
    "records/<match>.jsonl": "its record, byte for byte: cards, actions, balances",
    "timings.jsonl": "the times of its bots in milliseconds, which are part of no result",
    "voids.jsonl": "a line for each match that was lost or the organiser annulled",
    "records/<match>.void<attempt>.jsonl": "the record of an annulled match",
}
"""The content of each file outside of tables/."""

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def write_jsonl(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Writes the run into this empty folder: everything for a verification, and these tables in the folder tables/."""
    target = ExportLayout(folder)
    target.records.mkdir()
    target.readme.write_text(readme_text(JSONL_TITLE, tables, "jsonl", FILES, f"{target.tables.name}/"), "utf-8")
    target.manifest.write_bytes(run.place.manifest_bytes())
    if run.manifest.complete:
        if (standings := run.place.read_standings()) is None:
            raise ContestError(f"{run.place}: standings.json is missing or damaged.\nhint: restore it from a backup")
        target.standings.write_text(standings, "utf-8", newline="")
    with target.matches.open("w", encoding="utf-8") as matches, target.timings.open("w", encoding="utf-8") as timings:

        def write_match(match: StoredMatch) -> None:
            target.record(match.match).write_bytes((match.record or "").encode())
            matches.write(_text(ExportedMatch.of(match)))
            timings.write(_text(TimesLine.of(match)))

        if tables:
            target.tables.mkdir()
            write_tables(run, target.tables, tables, JSONL, work, write_match)
        else:
            for match in stored_matches(run):
                write_match(match)
    _write_voids(run, target)


def json_lines(table: type[Row], rows: Iterable[Row]) -> str:
    """Encodes rows as JSON lines: an object for each, whose keys are the columns."""
    names, cells = [column.name for column in columns_of(table)], cell_getter(table)
    return "".join(f"{_encode(dict(zip(names, cells(row), strict=True)))}\n" for row in rows)


@contextmanager
def open_jsonl(path: Path, table: type[Row]) -> Iterator[IO[str]]:
    """Opens a new JSON lines file for a table."""
    with path.open("x", encoding="utf-8") as file:
        yield file


JSONL = TableFormat("jsonl", json_lines, open_jsonl)


def _write_voids(run: Run, target: ExportLayout) -> None:
    with target.voids.open("w", encoding="utf-8") as voids:
        for void in run.voids():
            voids.write(_text(VoidLine.of(void)))
            if void.record is not None:
                target.record(void.match, void.attempt).write_bytes(void.record.encode())


def _text(line: ExportedLine) -> str:
    return f"{line.model_dump_json()}\n"


Write = Callable[[Run, Path, Collection[str], Work], None]
"""Writes a run, with these of its tables, into an empty folder."""


def _write_parquet(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Writes Parquet. Raises ModuleNotFoundError without the extra."""
    from bourre_referee.export.parquet import write_parquet

    write_parquet(run, folder, tables, work)


FORMATS: Mapping[str, Write] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": _write_parquet,
}
"""The writer of each format."""


def export(run: Run, format: str, out: Path, tables: Collection[str] = tuple(TABLES), work: Work | None = None) -> None:
    """Exports the run in one of the FORMATS, with these of the TABLES.

    Raises ContestError if the folder is not new or cannot be written.
    """
    with new_folder(out) as folder:
        FORMATS[format](run, folder, tables, work or Work())
