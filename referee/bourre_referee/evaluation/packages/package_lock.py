"""Reads a submission's requirements.txt, which must name an exact version and hashes for each package."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.text.names import printable, shorten

FILE = "requirements.txt"
LOCK = f"uv pip compile --generate-hashes requirements.in -o {FILE}"
"""The command that makes a lock. `pip-compile` of pip-tools has the same options."""

_LARGEST = 512 * 1024
_MOST = 200
_SHOWN = 60
_COMMENT = re.compile(r"(^|\s)#.*")
_PACKAGE = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\[[\w., -]*\])? ?== ?(?P<version>[A-Za-z0-9.!+_-]+)"
    r"(?: ?;(?P<marker>[\w .<>=!~'\"(),-]+?))?(?P<hashes>(?: --hash=sha256:[0-9a-f]{64})+)"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PINNED = re.compile(r"[A-Za-z0-9][\w.\[\], -]*==[^*]+")


class BadPackages(Exception):
    """The packages of a submission cannot be installed. The message is for the student."""


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """One package of a lock."""

    name: str
    """Its normalized name."""
    version: str
    hashes: tuple[str, ...]
    """The SHA-256 hashes of its files, each of which may be installed."""
    marker: str = ""
    """The condition on platform and Python under which it is installed; empty means always."""

    @property
    def line(self) -> str:
        """Its line for pip."""
        marker = f" ; {self.marker}" if self.marker else ""
        return " ".join([f"{self.name}=={self.version}{marker}", *(f"--hash=sha256:{one}" for one in self.hashes)])


def read_lock(folder: Path, own: Collection[str]) -> tuple[LockedPackage, ...]:
    """Returns the packages that a submission in this folder asks for, without those of the SDK, called `own`.

    Raises BadPackages for any line that is not a package with its version and hashes.
    """
    file = folder / FILE
    if not file.is_file():
        return ()
    data = file.read_bytes()
    if len(data) > _LARGEST:
        raise BadPackages(f"its {FILE} is larger than {_LARGEST // 1024} KiB.\nhint: lock fewer packages")
    try:
        lines = [*_logical_lines(data.decode("utf-8-sig"))]
    except UnicodeDecodeError:
        raise BadPackages(f"its {FILE} is not UTF-8.\nhint: save it as UTF-8") from None
    found = [_package(number, line) for number, line in lines if _name(line) not in own]
    if len(found) > _MOST:
        raise BadPackages(f"its {FILE} has {len(found)} packages, more than {_MOST}.\nhint: lock fewer packages")
    return tuple(found)


def normalized(name: str) -> str:
    """Returns the name by which indexes know a package."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _name(line: str) -> str:
    found = _NAME.match(line)
    return normalized(found[0]) if found else ""


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields each line with the number of its first part, without comments."""
    parts: list[str] = []
    first = 1
    for number, written in enumerate([*text.splitlines(), ""], start=1):
        part = _COMMENT.sub("", written).rstrip()
        first = first if parts else number
        parts.append(part.removesuffix("\\").strip())
        if not part.endswith("\\"):
            if line := " ".join(" ".join(parts).split()):
                yield first, line
            parts = []


def _package(number: int, line: str) -> LockedPackage:
    found = _PACKAGE.fullmatch(line)
    if found is None:
        raise BadPackages(f"{FILE}, line {number}: {_problem(line)}")
    hashes = tuple(word.rpartition(":")[2] for word in found["hashes"].split())
    return LockedPackage(normalized(found["name"]), found["version"], hashes, (found["marker"] or "").strip())


def _problem(line: str) -> str:
    shown = shorten(printable(line.partition(" --hash")[0]), _SHOWN)
    options = [word for word in line.split() if word.startswith("-") and not word.startswith("--hash=")]
    if options:
        option = shorten(printable(options[0].partition("=")[0]), _SHOWN)
        return f"options such as {option!r} are not allowed.\nhint: remove this one"
    if "://" in line or " @ " in line or "/" in shown:
        return f"{shown!r} is not from the package index.\nhint: use name==version with hashes"
    if _PINNED.fullmatch(shown):
        return f"{shown!r} has no SHA-256 hashes.\nhint: run {LOCK}"
    return f"{shown!r} has no exact version and hashes.\nhint: run {LOCK}"
