"""Copies the files of a bot, so that nobody can change them. The originals may come from a stranger."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.watched_files import WatchedFiles, differences
from bourre_referee.storage.files.untrusted_files import LARGEST_BOT, in_words
from bourre_referee.text.names import shorten

MOST_SHOWN = 80
"""The most characters of a change in a message."""

Hashes = tuple[tuple[str, str], ...]
"""The path and the SHA-256 of each file."""


def copy_bot(paths: Iterable[str], source: Path, target: Path) -> Hashes:
    """Copies files and folders from `source` to the same paths in `target`, and returns their hashes.

    Raises ContestError for a link, for a path outside of `source`, and for more than LARGEST_BOT bytes in total.
    """
    found = []
    for path, data in _read_bot(paths, source):
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        if (source / path).stat().st_mode & stat.S_IXUSR:
            copy.chmod(0o755)
        found.append((path, hashlib.sha256(data).hexdigest()))
    return tuple(found)


def hash_bot(paths: Iterable[str], source: Path) -> Hashes:
    """Returns the hashes of files and folders, as `copy_bot` does."""
    return tuple((path, hashlib.sha256(data).hexdigest()) for path, data in _read_bot(paths, source))


def watched_copy(files: Hashes, folder: Path) -> WatchedFiles:
    """Returns the files of a bot in its folder, to be watched for changes."""
    tops = dict.fromkeys(path.partition("/")[0] for path, _ in files)

    def compare() -> Iterator[str]:
        found = (file for top in tops for file in _all_files(folder / top))
        return differences(dict(files), {file.relative_to(folder).as_posix(): _hash(file) for file in found})

    return WatchedFiles(tops, folder, compare)


def files_changed(changes: Sequence[str]) -> str:
    """Describes changes of a bot's files in one line. The files' names may come from a stranger."""
    more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"its files changed on disk: {shorten(changes[0], MOST_SHOWN)}{more}"


def _all_files(place: Path) -> Iterator[Path]:
    """Yields all files, without Python's caches."""
    for file in place.rglob("*") if place.is_dir() and not place.is_symlink() else [place]:
        if "__pycache__" not in file.parts and (file.is_symlink() or (file.exists() and not file.is_dir())):
            yield file


def _hash(file: Path) -> str:
    """Returns the hash of a file that `copy_bot` could have made, otherwise an empty text."""
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST_BOT:
            return ""
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _read_bot(paths: Iterable[str], source: Path) -> Iterator[tuple[str, bytes]]:
    free = LARGEST_BOT
    for path in sorted({path for given in paths for path in _files_at(given, source)}):
        data = _read(source / path, free)
        free -= len(data)
        yield path, data


def _files_at(path: str, source: Path) -> Iterator[str]:
    """Yields the files at a path, without Python's caches."""
    place, root = source / path, source.resolve()
    for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
        inside = Path(path) / file.relative_to(place)
        if inside.is_absolute() or file.resolve() != root / inside:
            raise ContestError(f"{file} is a link, or outside of {source}.\nhint: use a copy of the file instead")
        if file.is_file() and "__pycache__" not in file.parts:
            yield inside.as_posix()
        elif not file.is_dir() and not file.is_file():
            raise ContestError(f"No file {file}.\nhint: use another path, or remove it if it is a pipe")


def _read(file: Path, free: int) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(free + 1)
    except OSError as error:
        raise ContestError(f"Cannot read {file}: {error.strerror}.\nhint: check its permissions") from error
    if len(data) > free:
        raise ContestError(f"{file}: with it, the bot is larger than {in_words(LARGEST_BOT)}.\nhint: use fewer files")
    return data
