"""Unpacks a wheel without running anything of it."""

from __future__ import annotations

import zlib
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile

from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.storage.files.untrusted_files import MIB, path_problem

_MOST_FILES = 50_000
_CHUNK = MIB
_BROKEN = (BadZipFile, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError, zlib.error)
_OF_SDK = {("bourre",), ("bourre_lab",), ("bourre_seats",), ("grpc",)}
_OF_PROTOBUF = {("google", "__init__.py"), ("google", "protobuf"), ("google", "_upb")}
"""`google` itself is shared by many packages."""


def unpack_wheel(name: str, wheel: IO[bytes], site: Path, free: int) -> int:
    """Writes the modules and data of a wheel to `site`, and returns their size, of which `free` bytes are allowed.

    Programs, headers and other files that belong elsewhere are left out. Raises BadPackages.
    """
    left = free
    try:
        with ZipFile(wheel) as packed:
            entries = [entry for entry in packed.infolist() if not entry.is_dir()]
            if len(entries) > _MOST_FILES:
                raise BadPackages(f"the package {name} has more than {_MOST_FILES:,} files.\nhint: leave it out")
            for entry in entries:
                if path := _place_of(name, entry.filename):
                    (site / path).parent.mkdir(parents=True, exist_ok=True)
                    with packed.open(entry) as source:
                        left -= _write(source, site / path, left)
    except _BROKEN as error:
        text = f"the package {name} cannot be unpacked ({error}).\nhint: lock another version"
        raise BadPackages(text) from error
    return free - left


def _place_of(name: str, written: str) -> PurePosixPath | None:
    """Returns the place of a wheel's file in an environment; None if it is not installed."""
    path = PurePosixPath(written)
    if problem := path_problem(path):
        raise BadPackages(f"the package {name} has {written[:100]!r}, which {problem}.\nhint: leave it out")
    top, *rest = path.parts
    if top.endswith(".data"):
        if rest[:1] not in (["purelib"], ["platlib"]) or len(rest) < 2:
            return None
        path = PurePosixPath(*rest[1:])
    if path.parts[:1] in _OF_SDK or path.parts[:2] in _OF_PROTOBUF:
        raise BadPackages(f"the package {name} would replace {path.parts[0]!r} of the SDK.\nhint: leave it out")
    return path


def _write(source: IO[bytes], place: Path, free: int) -> int:
    """Writes a file and returns its size. It does not trust the sizes in the wheel."""
    size = 0
    with place.open("wb") as target:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > free:
                raise BadPackages("its packages are larger than the plan allows.\nhint: use fewer packages")
            target.write(chunk)
    place.chmod(0o644)
    return size
