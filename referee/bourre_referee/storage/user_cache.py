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


def name_of_run(contest: str, commitment: str) -> str:
    """Returns a file name for what is kept of the run with this name and seed."""
    return sha256(f"{contest} {commitment}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def read_cached(path: Path) -> str | None:
    """Returns the text of a file; None if it is missing, damaged or cannot be read."""
    content = read_cached_bytes(path)
    try:
        return None if content is None else content.decode()
    except UnicodeError:
        return None


def read_cached_bytes(path: Path) -> bytes | None:
    """Returns the content of a file; None if it is missing, damaged or cannot be read."""
    try:
        stored_hash, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if stored_hash == _hash_of(content) else None


def write_cached(path: Path, content: str | bytes) -> None:
    """Writes a file atomically; raises OSError if it cannot."""
    content = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
        try:
            file.writelines((_hash_of(content), b"\n", content))
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def drop_oldest(folder: Path, most: int) -> None:
    """Removes the files that were written longest ago until all take at most so many bytes; raises OSError."""
    files = sorted((file.stat().st_mtime_ns, file.stat().st_size, file) for file in folder.iterdir())
    total = sum(size for _, size, _ in files)
    for _, size, file in files:
        if total <= most:
            break
        file.unlink(missing_ok=True)
        total -= size


def _hash_of(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()
