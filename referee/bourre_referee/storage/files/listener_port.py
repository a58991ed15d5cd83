"""Stores the last port of a run's listener, which bots still dial, if the contest file leaves the port open."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import read

_HIGHEST = 65_535
_LONGEST = 16


def read_port(path: Path) -> int | None:
    """Reads the port; None if the file is missing. Raises ContestError for other content."""
    try:
        text = read(path, _LONGEST).decode("ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ContestError(
            f"Cannot read {path}: {error.strerror}.\nhint: check its permissions, or remove it"
        ) from error
    if not (text.isdecimal() and 0 < int(text) <= _HIGHEST):
        raise ContestError(f"{path}: {text!r} is not a port.\nhint: remove the file")
    return int(text)


def write_port(path: Path, port: int) -> None:
    """Stores the port. Raises OSError."""
    atomic.write(path, f"{port}\n")
