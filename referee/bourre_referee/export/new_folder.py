"""A new folder that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.model.errors import ContestError


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder near it, which becomes `out` at the end. ContestError when `out` is not new, or cannot be written."""
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
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"{out.name}.", dir=out.parent) as place:
        making = Path(place, out.name)  # with the rights of any new folder, which the one around it has not
        making.mkdir()
        yield making
        making.rename(out)
