"""A new folder that is there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bourre_referee.errors import ContestError


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder beside, which becomes `out` at the end. ContestError when `out` is not new, or cannot be written."""
    try:
        with _made(out) as folder:
            yield folder
    except OSError as error:
        place = error.filename or out
        raise ContestError(f"{place}: cannot be written ({error.strerror}); give another folder with --out") from error


@contextmanager
def _made(out: Path) -> Iterator[Path]:
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
