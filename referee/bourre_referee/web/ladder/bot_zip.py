"""Unpacks the files of a bot from a zip that a stranger sent."""

from __future__ import annotations

import stat
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from bourre_referee.ladder.host.bot_copy import LARGEST
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.untrusted_files import MIB, in_words

LARGEST_ZIP = 16 * MIB
MOST_FILES = 500


def unpack_bot(data: bytes, folder: Path) -> tuple[str, ...]:
    """Writes the files of a zip to an empty folder and returns the names at its top; raises ContestError if bad."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            files = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(files)
            free = LARGEST
            for entry in files:
                free -= _unpack(archive, entry, folder, free)
    except (BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, UnicodeError) as error:
        raise ContestError("the zip cannot be unpacked: make it anew, without a password") from error
    return tuple(sorted({PurePosixPath(entry.filename).parts[0] for entry in files}))


def _check(files: list[ZipInfo]) -> None:
    if not files:
        raise ContestError("the zip has no file: add those that the bot's command needs")
    if len(files) > MOST_FILES:
        raise ContestError(f"the zip has {len(files)} files, more than {MOST_FILES}: leave some out")
    if len({entry.filename.casefold() for entry in files}) < len(files):
        raise ContestError("the zip has two files of one name: rename one")
    for entry in files:
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or not entry.filename.isprintable() or "\\" in entry.filename:
            raise ContestError(f"{entry.filename!r} is no path inside a folder: make the zip in the bot's folder")
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            raise ContestError(f"{entry.filename!r} is a link: put the file itself into the zip")


def _unpack(archive: ZipFile, entry: ZipInfo, folder: Path, free: int) -> int:
    """Writes one file and returns its length; what the zip says about lengths is not believed."""
    with archive.open(entry) as packed:
        data = packed.read(free + 1)
    if len(data) > free:
        raise ContestError(f"the files are longer than {in_words(LARGEST)}: leave some out")
    place = folder / entry.filename
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    if entry.external_attr >> 16 & stat.S_IXUSR:
        place.chmod(0o755)
    return len(data)
