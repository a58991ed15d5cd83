"""Writes a run out, into a new folder that is there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bourre_referee.contest.folder import RunFolder
from bourre_referee.errors import ContestError
from bourre_referee.export.columns import TABLES
from bourre_referee.export.jsonl import write_jsonl
from bourre_referee.export.sheets import write_csv

Write = Callable[[RunFolder, Path, Collection[str]], None]
"""Writes a run, and these of its tables, into an empty folder."""


def _write_parquet(run: RunFolder, folder: Path, tables: Collection[str]) -> None:
    """Raises ModuleNotFoundError without the extra."""
    from bourre_referee.export.parquet import write_parquet

    write_parquet(run, folder, tables)


FORMS: Mapping[str, Write] = {"jsonl": write_jsonl, "csv": write_csv, "parquet": _write_parquet}
"""What writes each form."""


def export(run: RunFolder, form: str, out: Path, tables: Collection[str] = tuple(TABLES)) -> None:
    """Writes the run out in one of the FORMS, with these of the TABLES.

    ContestError when the folder is not new, or cannot be written.
    """
    try:
        with _made(out) as folder:
            FORMS[form](run, folder, tables)
    except OSError as error:
        place = error.filename or out
        raise ContestError(f"{place}: cannot be written ({error.strerror}); give another folder with --out") from error


@contextmanager
def _made(out: Path) -> Iterator[Path]:
    """A folder beside, which becomes `out` at the end."""
    if out.is_dir() and not any(out.iterdir()):
        out.rmdir()
    if out.exists():
        raise ContestError(f"{out}: it is there already; remove it, or give a new folder with --out")
    making = out.with_name(f"{out.name}.new")
    if making.exists():
        shutil.rmtree(making)
    making.mkdir(parents=True)
    try:
        yield making
        making.rename(out)
    except BaseException:
        shutil.rmtree(making)
        raise
