"""Installs the packages of a bot in JavaScript with npm, which runs none of their scripts."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha512
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from bourre_referee.evaluation.packages.boxed_download import Download, DownloadLimits, Printed, download
from bourre_referee.evaluation.packages.node_lock import FILE, NODE_MODULES, NodeLock
from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.evaluation.packages.packages_section import PackagesSection, server_of
from bourre_referee.model.errors import ContestError
from bourre_referee.model.network import Network
from bourre_referee.model.spec import Level
from bourre_referee.storage.files.untrusted_files import MIB, path_problem
from bourre_referee.text.names import printable

_MOST_FILES = 100_000
_CHUNK = MIB
_NPM = (
    *("npm", "ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"),
    *("--no-update-notifier", "--cache=cache", "--userconfig=userconfig", "--globalconfig=globalconfig"),
)
_CODE = re.compile(r"^npm (?:error|ERR!) code (\w+)$", re.MULTILINE)
_REASON = re.compile(r"^npm (?:error|ERR!) (.+)$", re.MULTILINE)
_OF_STUDENT = {
    "EINTEGRITY": f"a package does not match its hash in {FILE}",
    "E404": f"a package of {FILE} is not in the registry",
    "ETARGET": f"a version of {FILE} is not in the registry",
    "ENOTCACHED": f"a package of {FILE} is not in the folder of the plan",
    "EUSAGE": f"{FILE} does not agree with itself",
    "EBADPLATFORM": "a package is for another platform",
    "ENOSPC": "its packages are larger than the plan allows",
}


def install_node(lock: NodeLock, asked: PackagesSection, folder: Path | None, level: Level, modules: Path) -> None:
    """Installs a lock in the empty folder `modules`. `folder` has the archives, or None for the registry.

    Raises BadPackages if the lock is wrong, and ContestError if this machine or the registry fails.
    """
    if shutil.which("npm") is None:
        raise ContestError("npm, which installs packages, is not installed.\nhint: install it with your system's tools")
    with TemporaryDirectory(prefix="bourre-") as place, TemporaryFile() as archive:
        limits = DownloadLimits(asked.minutes * 60, asked.megabytes)
        if printed := download(_download(lock, asked, folder, Path(place)), level, limits, archive):
            raise _error(printed)
        archive.seek(0)
        unpack_tree(archive, modules, asked.megabytes * MIB)


def _download(lock: NodeLock, asked: PackagesSection, folder: Path | None, place: Path) -> Download:
    archives = _archives(lock, folder) if folder else {}
    (place / "package.json").write_text(json.dumps(lock.wanted))
    (place / FILE).write_text(lock.text({integrity: file.name for integrity, file in archives.items()}))
    files = (place / "package.json", place / FILE, *archives.values())
    if folder:
        return Download((*_NPM, "--offline"), NODE_MODULES, files)
    if asked.registry is None:
        raise ContestError("[packages] names no registry of npm.\nhint: add registry, or a folder with archives")
    return Download(
        (*_NPM, "--fetch-retries=2", "--fetch-timeout=30000", f"--registry={asked.registry}"),
        NODE_MODULES,
        files,
        network=Network((server_of(asked.registry),)),
    )


def _archives(lock: NodeLock, folder: Path) -> Mapping[str, Path]:
    """Returns the archives in this folder that the lock needs, by their hashes."""
    found = {_integrity(file): file for file in sorted(folder.glob("*.tgz"))}
    return {integrity: file for integrity, file in found.items() if integrity in lock.hashes}


def _integrity(file: Path) -> str:
    return f"sha512-{b64encode(sha512(file.read_bytes()).digest()).decode()}"


def _error(printed: Printed) -> Exception:
    found = _CODE.search(printed.text)
    code = found[1] if found else ""
    if code in _OF_STUDENT and not printed.unreachable:
        return BadPackages(f"{_OF_STUDENT[code]}.\nhint: run npm install --package-lock-only again")
    reason = _REASON.search(printed.text)
    why = code or (printable(reason[1]) if reason else f"exit code {printed.code}")
    mend = "check the network, and run again" if printed.unreachable or code else "run again"
    return ContestError(f"The packages cannot be installed by npm: {why}.\nhint: {mend}")


def unpack_tree(archive: IO[bytes], folder: Path, free: int) -> None:
    """Writes the plain files of a tar to a folder. Links are left out. Raises BadPackages."""
    number = 0
    with tarfile.open(fileobj=archive, mode="r:") as packed:
        for member in packed:
            source = packed.extractfile(member) if member.isfile() else None
            if source is None:
                continue
            number, free = number + 1, free - member.size
            if number > _MOST_FILES or free < 0:
                raise BadPackages("its packages are larger than the plan allows.\nhint: use fewer packages")
            path = PurePosixPath(member.name)
            if problem := path_problem(path):
                raise BadPackages(f"a package has {member.name[:100]!r}, which {problem}.\nhint: use another version")
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("wb") as target:
                shutil.copyfileobj(source, target, _CHUNK)
            (folder / path).chmod(0o644)
