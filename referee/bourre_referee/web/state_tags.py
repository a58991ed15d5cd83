"""Short tags for the states of what is shown, from the files that it is read from."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path


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
