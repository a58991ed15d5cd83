"""Unpacks the files of a bot from a zip that a stranger sent."""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from bourre_referee.ladder.host.bot_copy import LARGEST
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.untrusted_files import MIB, in_words, path_problem

LARGEST_ZIP = 16 * MIB
MOST_FILES = 500
"""The most files, and the most folders."""
MOST_ENTRIES = 10_000
"""The most entries whose names are read at all: folders have entries of their own, which are passed over."""
_ENTRY = b"PK\x01\x02"
"""How each entry of a zip's directory begins."""
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
"""Others let a few bytes claim gigabytes of memory, as the dictionary of LZMA does."""
_BROKEN = (BadZipFile, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError)


def unpack_bot(data: bytes, folder: Path) -> tuple[str, ...]:
    """Writes the files of a zip to an empty folder and returns the names at its top; raises ContestError if bad.

    Nothing is written before all names are known to be good.
    """
    if data.count(_ENTRY) > MOST_ENTRIES:
        raise ContestError(f"the zip has more than {MOST_ENTRIES:,} entries: leave some out")
    try:
        with ZipFile(BytesIO(data)) as archive:
            files = _files(archive.infolist())
            free = LARGEST
            for path, entry in files.items():
                free -= _unpack(archive, entry, folder / path, free)
    except (*_BROKEN, struct.error, zlib.error) as error:
        raise ContestError("the zip cannot be unpacked: make it anew, without a password") from error
    return tuple(sorted({path.parts[0] for path in files}))


def _files(entries: Sequence[ZipInfo]) -> Mapping[PurePosixPath, ZipInfo]:
    """Returns the files with their paths; raises ContestError if one of them, or all together, may not be written."""
    listed = [
        (PurePosixPath(entry.orig_filename), entry) for entry in entries if not entry.filename.endswith("/")
    ]  # it may be empty
    if not listed:
        raise ContestError("the zip has no file: add those that the bot's command needs")
    if len(listed) > MOST_FILES:
        raise ContestError(f"the zip has {len(listed)} files, more than {MOST_FILES}: leave some out")
    for path, entry in listed:
        _check(path, entry)
    folders = {_folded(folder) for path, _ in listed for folder in path.parents}
    if len(folders) > MOST_FILES:
        raise ContestError(f"the zip has {len(folders)} folders, more than {MOST_FILES}: leave some out")
    names = {_folded(path) for path, _ in listed}
    if len(names) < len(listed) or names & folders:
        raise ContestError("the zip has two files of one name, or a file and a folder: rename one")
    return dict(listed)


def _check(path: PurePosixPath, entry: ZipInfo) -> None:
    if problem := path_problem(path):
        raise ContestError(f"{entry.orig_filename[:100]!r} {problem}: make the zip in the bot's folder")
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise ContestError(f"{str(path)!r} is a link or a device: put the file itself into the zip")
    if entry.compress_type not in _METHODS:
        raise ContestError(f"{str(path)!r} is compressed in an unusual way: make the zip anew, with the usual method")


def _folded(path: PurePosixPath) -> str:
    """Returns what two paths have in common that some file system takes for one."""
    return normalize("NFKC", str(path).casefold())


def _unpack(archive: ZipFile, entry: ZipInfo, place: Path, free: int) -> int:
    """Writes one file and returns its length; what the zip says about lengths is not believed."""
    with archive.open(entry) as packed:
        data = packed.read(free + 1)
    if len(data) > free:
        raise ContestError(f"the files are longer than {in_words(LARGEST)}: leave some out")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    if entry.external_attr >> 16 & stat.S_IXUSR:
        place.chmod(0o755)
    return len(data)
