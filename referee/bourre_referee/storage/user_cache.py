"""Files in the user's cache folder, shared by processes; the first line of each is the SHA-256 of the rest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Returns this program's folder in the user's cache folder; None if there is none."""
    cache, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(cache):  # as the XDG specification has it
        return Path(cache) / "bourre"
    return Path(home) / ".cache" / "bourre" if os.path.isabs(home) else None


def read_cached(path: Path) -> str | None:
    """Returns the text of a file; None if it is missing, damaged or cannot be read."""
    try:
        stored_hash, _, text = path.read_text("utf-8").partition("\n")
    except (OSError, UnicodeError):
        return None
    return text if stored_hash == _hash_of(text) else None


def write_cached(path: Path, text: str) -> None:
    """Writes a file atomically; raises OSError if it cannot."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        try:
            file.write(f"{_hash_of(text)}\n{text}")
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def _hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()
