"""Unpacks a submitted bot: a zip, or a single file."""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from bourre_referee.contest.main_file import is_litter, settle_main_file
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import LARGEST_BOT, MIB, in_words, path_problem

LARGEST_ZIP = 16 * MIB
MOST_FILES = 500
"""The most files, and the most folders."""
MOST_ENTRIES = 10_000
"""The most entries whose names are read, including the skipped entries of folders."""
_ENTRY = b"PK\x01\x02"
"""The first bytes of each entry of a zip's directory."""
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
"""The allowed methods. With others, a few bytes can claim gigabytes of memory, such as for LZMA's dictionary."""
_WINDOWS = (0, 10, 14)
"""The systems whose programs may use a backslash between folders."""
_OTHER_ARCHIVES = {b"\x1f\x8b": ".gz", b"Rar!": ".rar", b"7z\xbc\xaf": ".7z", b"BZh": ".bz2", b"\xfd7zXZ": ".xz"}
_BROKEN = (BadZipFile, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError)


def read_zip(path: Path) -> bytes:
    """Reads a zip, or the single file of a bot. Raises ContestError, without the path, if it is too long."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_ZIP + 1)
    except OSError as error:
        raise ContestError(f"Cannot read this zip: {error.strerror}.\nhint: check its permissions") from error
    if len(data) > LARGEST_ZIP:
        raise ContestError(f"The zip is larger than {in_words(LARGEST_ZIP)}.\nhint: remove some files")
    return data


def unpack_submitted(data: bytes, folder: Path, main: str) -> tuple[str, ...]:
    """Writes a bot's zip, or its single file, to an empty folder, and returns the names at its top.

    The bot's main file gets the path `main` from its command. Without `main`, all files keep their paths. Raises
    ContestError if the data is bad, or if no file is clearly the main file.
    """
    if main and "/" not in main and _is_text(data):
        (folder / main).write_bytes(data)
    else:
        unpack_bot(data, folder)
        if main:
            found = settle_main_file(folder, [main])
            if (folder / main).is_dir():
                raise ContestError(
                    f"{main!r} is a folder in the zip, but must be the bot's main file.\nhint: rename {found!r}"
                )
            (folder / found).rename(folder / main)
    return tuple(sorted(path.name for path in folder.iterdir()))


def _is_text(data: bytes) -> bool:
    try:
        return bool(data.decode().strip()) and b"\0" not in data
    except UnicodeDecodeError:
        return False


def unpack_bot(data: bytes, folder: Path) -> None:
    """Writes the files of a zip to an empty folder. Raises ContestError if it is bad.

    It checks and reads all files before it writes any. Raises OSError if this machine cannot write them.
    """
    for beginning, kind in _OTHER_ARCHIVES.items():
        if data.startswith(beginning):
            raise ContestError(f"This is a {kind} file.\nhint: use a zip instead")
    if data.count(_ENTRY) > MOST_ENTRIES:
        raise ContestError(f"The zip has more than {MOST_ENTRIES:,} entries.\nhint: remove some")
    contents: dict[PurePosixPath, bytes] = {}
    try:
        with ZipFile(BytesIO(data)) as archive:
            files = _files(archive.infolist())
            free = LARGEST_BOT
            for path, entry in files.items():
                contents[path] = _read(archive, entry, free)
                free -= len(contents[path])
    except (*_BROKEN, struct.error, zlib.error) as error:
        raise ContestError("Cannot read this zip.\nhint: create it again, without a password") from error
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        if files[path].external_attr >> 16 & stat.S_IXUSR:
            (folder / path).chmod(0o755)


def _files(entries: Sequence[ZipInfo]) -> Mapping[PurePosixPath, ZipInfo]:
    """Returns the files with their paths. Raises ContestError if they may not be written."""
    named = [(_name(entry), entry) for entry in entries]
    listed = [(PurePosixPath(name), entry) for name, entry in named if not name.endswith("/")]  # it may be empty
    listed = [(path, entry) for path, entry in listed if not is_litter(path)]
    if not listed:
        raise ContestError("The zip has no files.\nhint: add those that the bot's command needs")
    if len(listed) > MOST_FILES:
        raise ContestError(f"The zip has {len(listed)} files, more than {MOST_FILES}.\nhint: remove some")
    for path, entry in listed:
        _check(path, entry)
    folders = {_folded(folder) for path, _ in listed for folder in path.parents}
    if len(folders) > MOST_FILES:
        raise ContestError(f"The zip has {len(folders)} folders, more than {MOST_FILES}.\nhint: remove some")
    names = {_folded(path) for path, _ in listed}
    if len(names) < len(listed) or names & folders:
        raise ContestError("The zip has two files, or a file and a folder, of the same name.\nhint: rename one")
    return dict(listed)


def _name(entry: ZipInfo) -> str:
    name = entry.orig_filename
    return name.replace("\\", "/") if entry.create_system in _WINDOWS else name


def _check(path: PurePosixPath, entry: ZipInfo) -> None:
    if problem := path_problem(path):
        raise ContestError(f"{entry.orig_filename[:100]!r} {problem}.\nhint: create the zip in the bot's folder")
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise ContestError(f"{str(path)!r} is a link or a device.\nhint: add the file itself to the zip")
    if entry.compress_type not in _METHODS:
        raise ContestError(
            f"{str(path)!r} has an unusual compression.\nhint: create the zip again, with the usual method"
        )


def _folded(path: PurePosixPath) -> str:
    """Returns a key that is equal for paths that some file system treats as one."""
    return normalize("NFKC", str(path).casefold())


def _read(archive: ZipFile, entry: ZipInfo, free: int) -> bytes:
    """Reads one file. It does not trust the zip's lengths."""
    with archive.open(entry) as packed:
        data = packed.read(free + 1)
    if len(data) > free:
        raise ContestError(f"The files are larger than {in_words(LARGEST_BOT)}.\nhint: remove some")
    return data
