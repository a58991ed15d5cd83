"""Archives the bots' files in a run folder. Each is named by its SHA-256, because bots' own paths are untrusted."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import MIB, check_folder, in_words, read
from bourre_referee.storage.run.manifest import File

LARGEST = 256 * MIB
"""The most bytes of all files together."""

_NAME = re.compile("[0-9a-f]{64}", re.ASCII)


def archive_files(files: Iterable[File], source: Path, archive: Path) -> None:
    """Copies the files from the folder `source` into the archive, which may have some already.

    Raises ContestError if one cannot be read or has changed, or if all have more than LARGEST bytes in total.
    """
    archive.mkdir(mode=0o700, exist_ok=True)
    paths = {file.sha256: file.path for file in files}
    for stale in [file for file in archive.iterdir() if file.name not in paths]:
        stale.unlink()  # left by a process that was killed
    kept = {file.name: file.stat().st_size for file in archive.iterdir()}
    free = LARGEST - sum(kept.values())
    for name, path in paths.items():
        if name in kept:
            continue
        data = _read(source / path, free)
        if hashlib.sha256(data).hexdigest() != name:
            raise ContestError(f"{source / path} was changed a moment ago.\nhint: run again")
        atomic.write_bytes(archive / name, data, mode=0o600)
        free -= len(data)


def _read(path: Path, free: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(free + 1)
    if len(data) > free:
        raise ContestError(
            f"{path}: with it, the bots' files are larger than {in_words(LARGEST)}, the limit of an archive.\n"
            "hint: list fewer files, or remove [contest] archive"
        )
    return data


def archive_problems(files: Iterable[File], archive: Path) -> Iterator[str]:
    """Yields the problems in an untrusted archive of these files. It executes nothing."""
    check_folder(archive)
    paths = {file.sha256: file.path for file in files}
    for name, path in paths.items():
        if not _NAME.fullmatch(name):
            yield f"the hash {name!r} of {path!r} is no SHA-256"
        elif not (archive / name).exists():
            yield f"{path!r} is missing: no file there is named {name}"
        elif hashlib.sha256(read(archive / name, LARGEST)).hexdigest() != name:
            yield f"{name}, which is {path!r}, has another hash"
    yield from (f"no bot has the file {kept.name!r}" for kept in archive.iterdir() if kept.name not in paths)
