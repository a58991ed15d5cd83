"""Unpacks the zip of a whole class."""

from __future__ import annotations

import errno
import stat
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from bourre_referee.contest.main_file import is_litter
from bourre_referee.evaluation.grade.intake.submissions import ARCHIVES, MAIN_FILES
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import MIB, in_words, path_problem
from bourre_referee.text.names import printable

LARGEST_CLASS = 4096 * MIB
MOST_FILES = 200_000
_UNZIP = "unzip it, and pass the folder"
_CHUNK = MIB
_BROKEN = (BadZipFile, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError, zlib.error)
_FULL = (errno.EDQUOT, errno.EIO, errno.ENOSPC, errno.EROFS)
"""The errors of a machine that cannot write, whatever the zip."""


@dataclass(frozen=True, slots=True)
class ClassZip:
    """A zip, whose files may be those of a class."""

    path: Path
    entries: tuple[ZipInfo, ...]
    """Its files, without litter."""

    @classmethod
    def open(cls, path: Path) -> ClassZip:
        """Lists a zip. It has no files if it cannot be read."""
        try:
            with ZipFile(path) as packed:
                listed = [entry for entry in packed.infolist() if not entry.is_dir()]
        except _BROKEN:
            return cls(path, ())
        return cls(path, tuple(entry for entry in listed if not is_litter(Path(entry.filename))))

    @property
    def top(self) -> str:
        """The only folder at the top; empty if there is none, or more."""
        tops = {entry.filename.partition("/")[0] if "/" in entry.filename else "" for entry in self.entries}
        return tops.pop() if len(tops) == 1 else ""

    @property
    def names(self) -> frozenset[str]:
        """The names in that folder, or at the top."""
        return frozenset(path.parts[0] for path in self._paths() if path.parts)

    def is_one_bot(self) -> bool:
        """Whether a bot's main file is there."""
        return any(_is_main([name]) for name in self.names)

    def has_several_bots(self) -> bool:
        """Whether there are several folders of bots, or several archives. One of each may be a bot and its data."""
        bots = {path.parts[0] for path in self._paths() if _is_main(path.parts[1:])}
        archives = {name for name in self.names if PurePosixPath(name).suffix.lower() in ARCHIVES}
        return max(len(bots), len(archives)) > 1

    def unpack(self, folder: Path) -> Iterator[str]:
        """Writes the files to a folder, and yields the names of those that cannot be written.

        One student's file does not keep the others out. Raises ContestError if all are too large, or the disk is full.
        """
        if len(self.entries) > MOST_FILES:
            raise ContestError(f"{self.path} has more than {MOST_FILES:,} files.\nhint: {_UNZIP}")
        free = LARGEST_CLASS
        with ZipFile(self.path) as packed:
            for entry in self.entries:
                path = PurePosixPath(entry.filename)
                is_plain = stat.S_IFMT(entry.external_attr >> 16) in (0, stat.S_IFREG)
                if path_problem(path) or not is_plain:
                    yield printable(entry.filename)
                    continue
                try:
                    free -= self._write(packed, entry, folder / path, free)
                except _BROKEN as error:
                    if isinstance(error, OSError) and error.errno in _FULL:
                        why = f"Cannot unpack {self.path} ({error.strerror})"
                        raise ContestError(f"{why}.\nhint: free disk space in {folder}, or {_UNZIP}") from error
                    yield printable(entry.filename)

    def _write(self, packed: ZipFile, entry: ZipInfo, place: Path, free: int) -> int:
        """Writes one file and returns its size. It does not trust the sizes in the zip."""
        place.parent.mkdir(parents=True, exist_ok=True)
        size = 0
        with packed.open(entry) as source, place.open("xb") as target:
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                if size > free:
                    raise ContestError(
                        f"{self.path} is larger than {in_words(LARGEST_CLASS)} unpacked.\nhint: {_UNZIP}"
                    )
                target.write(chunk)
        place.chmod(0o755 if entry.external_attr >> 16 & stat.S_IXUSR else 0o644)
        return size

    def _paths(self) -> Iterator[PurePosixPath]:
        start = f"{self.top}/" if self.top else ""
        return (PurePosixPath(entry.filename.removeprefix(start)) for entry in self.entries)


def _is_main(parts: Sequence[str]) -> bool:
    return len(parts) in (1, 2) and parts[-1].casefold() in MAIN_FILES
