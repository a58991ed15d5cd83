"""Short tags for the states of what is shown, from the files that it is read from."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from bourre_referee.storage.run_layout import Layout

Signature = tuple[tuple[int, ...], ...]
"""Identity, size and modification time of each file of a run; empty for a missing file."""


def signature_of(folder: Path) -> Signature:
    """Return the state of the files that change with every match of a run."""
    layout = Layout(folder)
    database = layout.database
    return tuple(map(stamp_of, (layout.manifest, database, database.with_name(f"{database.name}-wal"))))


def stamp_of(file: Path) -> tuple[int, ...]:
    """Return the identity, size and modification time of a file; empty if it is missing."""
    try:
        status = file.stat()
    except OSError:  # missing or forbidden: reading will report which
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def tag_of(signature: str) -> str:
    """Return a short tag for a state, as this version shows it."""
    return sha256(f"{version('bourre')} {signature}".encode()).hexdigest()[:16]
