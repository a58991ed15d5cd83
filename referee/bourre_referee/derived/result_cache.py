"""Keeps results that take long to compute in the user's cache folder, where any number of processes may use them.

A missing or damaged result costs only the time to compute it again. A run folder contains no kept results, so that
nobody receives another's results with a run. `bourre verify` uses none that follow from records.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from bourre_referee.storage.database.sqlite_connection import BESIDE
from bourre_referee.storage.files.untrusted_files import MIB, open_regular
from bourre_referee.storage.run.run import Run

MOST_BYTES = 1024 * MIB
"""The most bytes of all files. The files that were used longest ago are removed first."""

LARGE = MIB
"""A write of this many bytes looks for files to remove. Smaller ones add up until a later write looks."""

WORTH_KEEPING = 1_000
"""The results of smaller runs are computed in seconds."""


@dataclass(frozen=True, slots=True)
class ResultCache:
    """Files that only the user may read. The first line of each is the SHA-256 of the rest.

    `kind` names the results and the version of the code that computed them. A version does not read another's results.
    """

    folder: Path | None
    """The folder, or None to keep nothing."""

    def read(self, kind: str, key: str) -> bytes | None:
        """Returns the content kept under this key. None if there is nothing usable."""
        if self.folder is None:
            return None
        path = self._path(self.folder, kind, key)
        try:
            stored_hash, _, content = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        if stored_hash != _hash_of(content):
            return None
        with suppress(OSError):  # a read-only folder can still be read
            os.utime(path)
        return content

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keeps the content under the key, if the folder can be written and the disk is not full."""
        if self.folder is not None:
            with suppress(OSError):
                stored_hash = _write(self._path(self.folder, kind, key), content)
                if len(content) >= LARGE or stored_hash.startswith(b"0"):  # or one small one in sixteen
                    _drop_oldest(self.folder)

    def of_run(self, run: Run) -> ResultCache:
        """Returns this cache for a large run, and a cache that keeps nothing for a small one."""
        return self if run.manifest.matches >= WORTH_KEEPING else NOTHING_KEPT

    @staticmethod
    def _path(folder: Path, kind: str, key: str) -> Path:
        return folder / kind / sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


NOTHING_KEPT = ResultCache(None)


def open_result_cache(environment: Mapping[str, str]) -> ResultCache:
    """Returns the cache in the user's cache folder. Without such a folder, the cache keeps nothing."""
    cache, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(cache):  # as in the XDG specification
        return ResultCache(Path(cache) / "bourre")
    return ResultCache(Path(home) / ".cache" / "bourre") if os.path.isabs(home) else NOTHING_KEPT


def key_of(run: Run) -> str:
    """Returns the key of a run's results. The results themselves are bound to the run's facts or records."""
    return f"{run.manifest.contest} {run.manifest.seed.commitment}"


def database_hash(run: Run) -> str:
    """Returns the SHA-256 of the database of a finished run. Empty if the database is in use."""
    database = run.place.database_file
    if (
        database is None
        or not run.manifest.complete
        or not database.exists()
        or any(database.with_name(database.name + end).exists() for end in BESIDE)
    ):
        return ""
    whole = sha256()
    with open_regular(database) as file:
        while part := file.read(MIB):
            whole.update(part)
    return whole.hexdigest()


def _write(path: Path, content: bytes) -> bytes:
    """Writes a file atomically and returns the hash of its content. Raises OSError if that fails."""
    stored_hash = _hash_of(content)
    path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
        try:
            file.writelines((stored_hash, b"\n", content))
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise
    return stored_hash


def _drop_oldest(folder: Path) -> None:
    """Removes files of all kinds until the rest is small enough. Raises OSError."""
    files = sorted((file.stat().st_mtime_ns, file.stat().st_size, file) for file in folder.glob("*/*"))
    total = sum(size for _, size, _ in files)
    for _, size, file in files:
        if total <= MOST_BYTES:
            break
        file.unlink(missing_ok=True)
        total -= size


def _hash_of(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()
