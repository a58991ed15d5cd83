"""Write the tables of a run into a new folder, which appears complete or not at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from bourre_referee.export.csv import write_csv
from bourre_referee.export.export_tables import TABLES, Work
from bourre_referee.export.jsonl import write_jsonl
from bourre_referee.storage.atomic import new_folder
from bourre_referee.storage.run import Run

Write = Callable[[Run, Path, Collection[str], Work], None]
"""Writes a run, with these of its tables, into an empty folder."""


def _write_parquet(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Write Parquet; raises ModuleNotFoundError without the extra."""
    from bourre_referee.export.parquet import write_parquet

    write_parquet(run, folder, tables, work)


FORMATS: Mapping[str, Write] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": _write_parquet,
}
"""The writer of each format."""


def export(run: Run, format: str, out: Path, tables: Collection[str] = tuple(TABLES), work: Work | None = None) -> None:
    """Export the run in one of the FORMATS, with these of the TABLES.

    Raises ContestError if the folder is not new or cannot be written.
    """
    with new_folder(out) as folder:
        FORMATS[format](run, folder, tables, work or Work())
