"""Downloads the wheels of a lock, and unpacks them without running anything of theirs."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Collection, Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from bourre_referee.evaluation.packages.boxed_download import Download, DownloadLimits, Printed, download
from bourre_referee.evaluation.packages.package_lock import FILE, BadPackages, LockedPackage
from bourre_referee.evaluation.packages.packages_section import PackagesSection, server_of
from bourre_referee.evaluation.packages.wheel_files import unpack_wheel
from bourre_referee.model.errors import ContestError
from bourre_referee.model.network import Network
from bourre_referee.model.spec import Level
from bourre_referee.storage.files.untrusted_files import MIB

_PIP = (
    *("python", "-I", "-m", "pip", "download", "--isolated", "--no-input", "--no-cache-dir", "--progress-bar=off"),
    *("--disable-pip-version-check", "--require-hashes", "--no-deps", "--only-binary=:all:"),
    *("--dest=wheels", f"--requirement={FILE}"),
)
"""The lock has all packages, so pip looks for no others."""
_OF_STUDENT = ("No matching distribution", "DO NOT MATCH THE HASHES", "Hashes are required", "Invalid requirement")
_NO_ROOM = ("No space left on device", "File too large", "File size limit exceeded")
MISMATCH = f"a package does not match its hashes in {FILE}.\nhint: lock it again"
_NO_INDEX = (
    "[packages] names no index of wheels.\nhint: add index, and files if another server has its files, or a folder"
)
_CHUNK = MIB
_OF_SERVER = ("Could not fetch URL", "Retrying (Retry", "HTTP error")


def install_wheels(
    packages: Sequence[LockedPackage], asked: PackagesSection, folder: Path | None, level: Level, site: Path
) -> None:
    """Installs the packages of a lock in the empty folder `site`. `folder` has the wheels, or None for the index.

    Raises BadPackages if the lock is wrong, and ContestError if this machine or the index fails.
    """
    if PathFinder.find_spec("pip") is None:  # importlib's own search would let setuptools warn of a loaded distutils
        raise ContestError("This Python has no pip, which downloads packages.\nhint: run python -m ensurepip")
    with TemporaryDirectory(prefix="bourre-") as place, TemporaryFile() as archive:
        lock = Path(place, FILE)
        lock.write_text("".join(f"{package.line}\n" for package in packages))
        limits = DownloadLimits(asked.minutes * 60, asked.megabytes)
        if printed := download(_download(asked, folder, lock), level, limits, archive):
            raise _error(printed, asked)
        archive.seek(0)
        allowed = {one for package in packages for one in package.hashes}
        free = asked.megabytes * MIB
        for name, wheel in _wheels(archive, allowed):
            free -= unpack_wheel(name, wheel, site, free)


def _download(asked: PackagesSection, folder: Path | None, lock: Path) -> Download:
    if folder:
        return Download((*_PIP, "--no-index", "--find-links", str(folder)), "wheels", (lock,), (folder,))
    if asked.index is None:
        raise ContestError(_NO_INDEX)
    network = Network(tuple(server_of(url) for url in (asked.index, asked.files) if url))
    return Download(
        (*_PIP, "--retries=2", "--timeout=30", f"--index-url={asked.index}"), "wheels", (lock,), (), network
    )


def _error(printed: Printed, asked: PackagesSection) -> Exception:
    lines = [line.strip() for line in printed.text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines or [f"exit code {printed.code}"]
    why = errors[-1].removeprefix("ERROR: ")
    if any(words in printed.text for words in _NO_ROOM):
        return BadPackages(f"its packages are larger than {asked.megabytes} MiB, the plan's limit.\nhint: use fewer")
    if printed.unreachable or any(words in printed.text for words in _OF_SERVER):
        return ContestError(f"The packages cannot be downloaded: {why}.\nhint: check the network, and run again")
    if "DO NOT MATCH THE HASHES" in printed.text:
        return BadPackages(MISMATCH)
    if any(words in why for words in _OF_STUDENT):
        hint = "lock a version that has a wheel for the Python that plays the bots"
        return BadPackages(f"its packages cannot be installed: {why}.\nhint: {hint}")
    return ContestError(f"The packages cannot be downloaded: {why}.\nhint: run bourre doctor")


def _wheels(archive: IO[bytes], allowed: Collection[str]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yields the wheels of an archive. It trusts only their hashes, which are in the lock."""
    with tarfile.open(fileobj=archive, mode="r:") as packed:
        for member in packed:
            wheel = packed.extractfile(member)
            if wheel is None:
                continue
            name = PurePosixPath(member.name).name
            if sha256_of(wheel) not in allowed:
                raise BadPackages(MISMATCH)
            wheel.seek(0)
            yield name, wheel


def sha256_of(file: IO[bytes]) -> str:
    """Returns the hash of the rest of a file."""
    found = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        found.update(chunk)
    return found.hexdigest()
