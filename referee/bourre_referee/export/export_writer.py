"""Writes the tables of a run out, into a new folder that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from bourre_referee.export.csv import write_csv
from bourre_referee.export.export_tables import TABLES
from bourre_referee.export.jsonl import write_jsonl
from bourre_referee.storage.atomic import new_folder
from bourre_referee.storage.run_folder import RunFolder

Write = Callable[[RunFolder, Path, Collection[str]], None]
"""Writes a run, and these of its tables, into an empty folder."""


def _write_parquet(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Raises ModuleNotFoundError without the extra."""
    from bourre_referee.export.parquet import write_parquet

    write_parquet(run, folder, tables)


FORMS: Mapping[str, Write] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": _write_parquet,
}
"""What writes each form."""


def export(run: RunFolder, form: str, out: Path, tables: Collection[str] = tuple(TABLES)) -> None:
    """Writes the run out in one of the FORMS, with these of the TABLES.

    ContestError when the folder is not new, or cannot be written.
    """
    with new_folder(out) as folder:
        FORMS[form](run, folder, tables)
