"""The installed packages of submissions. All submissions with the same lock share them."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bourre_referee.evaluation.packages.node_lock import NODE_MODULES, read_node_lock
from bourre_referee.evaluation.packages.node_packages import install_node
from bourre_referee.evaluation.packages.package_lock import read_lock
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.evaluation.packages.python_environment import add_sdk, digest_of, make_environment, needed_by_sdk
from bourre_referee.evaluation.packages.wheels import install_wheels
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Level
from bourre_referee.storage.files import atomic


@dataclass(frozen=True, slots=True)
class Environment:
    """The packages of a submission, installed."""

    digest: str
    """Of everything that decides their content."""
    packages: tuple[str, ...]
    """Each locked package with its version."""
    venv: Path | None = None
    """The virtual environment of a bot in Python. A bot in JavaScript has its packages next to it."""


@dataclass(frozen=True, slots=True)
class Installer:
    """Installs the packages of submissions."""

    asked: PackagesSection
    level: Level
    """The isolation of the submissions."""
    plan: Path
    """The folder of the plan."""
    cache: Path
    """The folder of all environments."""

    def install(self, submission: Path, program: str) -> Environment | None:
        """Installs the packages of the lock in this folder, for a bot that this program starts; None if it needs none.

        They are made at their first use, and an interrupted installation leaves nothing. Raises BadPackages if the lock
        is wrong, and ContestError if it cannot be installed here.
        """
        if not self.asked.allow:
            return None
        return {"python": self._install_python, "node": self._install_node}.get(program, _nothing)(submission)

    def _install_python(self, submission: Path) -> Environment | None:
        needed = needed_by_sdk()
        packages = read_lock(submission, {"bourre", *needed})
        if not packages:
            return None

        def make(place: Path) -> None:
            site = make_environment(place)
            install_wheels(packages, self.asked, self._offline(), self.level, site)
            add_sdk(needed, site)

        digest = digest_of(packages, needed)
        names = tuple(f"{package.name}=={package.version}" for package in packages)
        return Environment(digest, names, self._make_once(digest, make))

    def _install_node(self, submission: Path) -> Environment | None:
        lock = read_node_lock(submission)
        if lock is None:
            return None
        digest = sha256(f"{sys.platform} {platform.machine()} {lock.text()}".encode()).hexdigest()[:32]
        made = self._make_once(digest, lambda place: install_node(lock, self.asked, self._offline(), self.level, place))
        shutil.copytree(made, submission / NODE_MODULES)
        return Environment(digest, lock.names)

    def _make_once(self, digest: str, make: Callable[[Path], None]) -> Path:
        made = self.cache / digest
        if not made.is_dir():
            with atomic.new_folder(made, "") as place:
                make(place)
        return made

    def _offline(self) -> Path | None:
        """Returns the folder with wheels, if there is one. Raises ContestError if nothing can be installed here."""
        folder = self.plan / self.asked.folder if self.asked.folder else None
        if self.level not in (Level.NONE, Level.BWRAP):
            text = f"[packages] changes no image, so it needs another level than {self.level}."
            raise ContestError(f"{text}\nhint: install the packages in the image")
        if self.level is Level.NONE and folder is None:
            text = "Packages are downloaded only in a sandbox, and this machine has none."
            raise ContestError(f'{text}\nhint: put wheels into a folder, and set [packages] folder = "wheels"')
        if folder is not None and not folder.is_dir():
            text = f"[packages] folder = {self.asked.folder!r}: no such folder."
            raise ContestError(f"{text}\nhint: use a path that starts at the folder of the plan")
        return folder


def _nothing(_submission: Path) -> None:
    """Installs nothing for a bot that another program starts."""
