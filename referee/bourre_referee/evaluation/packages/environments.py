"""The Python environments of submissions, one for each lock, which all submissions with this lock share."""

from __future__ import annotations

import platform
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path
from re import match

import bourre
from bourre_referee.evaluation.packages.package_lock import LockedPackage, normalized, read_lock
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.evaluation.packages.wheels import install_wheels
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Level
from bourre_referee.sandbox.bwrap.interpreter import Interpreter, interpreter_of
from bourre_referee.storage.files import atomic


@dataclass(frozen=True, slots=True)
class Environment:
    """The packages of a submission, installed."""

    folder: Path
    """A virtual environment, named by a digest of everything that decides its content."""
    packages: tuple[str, ...]
    """Each locked package with its version."""


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

    def environment_of(self, submission: Path) -> Environment | None:
        """Returns the environment for the lock in this folder, which is made at its first use; None if it needs none.

        An interrupted installation leaves nothing. Raises BadPackages if the lock is wrong, and ContestError if it
        cannot be installed here.
        """
        needed = _needed_by_sdk()
        packages = read_lock(submission, {"bourre", *needed}) if self.asked.allow else ()
        if not packages:
            return None
        offline = self._offline()
        made = self.cache / _digest(packages, needed)
        if not made.is_dir():
            with atomic.new_folder(made, "") as place:
                site = _make(_python().base(), place)
                install_wheels(packages, self.asked, offline, self.level, site)
                _add_sdk(needed, site)
        return Environment(made, tuple(f"{package.name}=={package.version}" for package in packages))

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


def _python() -> Interpreter:
    python = interpreter_of(Path(sys.executable))
    if python is None:
        raise ContestError(f"{sys.executable} cannot make environments.\nhint: run bourre with an ordinary CPython")
    return python


def _digest(packages: Sequence[LockedPackage], needed: Mapping[str, Distribution]) -> str:
    """Returns a name for what these packages become on this platform, with this Python and this SDK."""
    parts = [platform.python_version(), sys.implementation.cache_tag or "", sysconfig.get_platform()]
    parts += [f"{name}=={found.version}" for name, found in sorted(needed.items())]
    parts += sorted(package.line for package in packages)
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


def _make(python: Interpreter, folder: Path) -> Path:
    """Makes an empty virtual environment, and returns the folder of its packages."""
    program = python.prefix / "bin" / python.name
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(program)
    (folder / "pyvenv.cfg").write_text(f"home = {program.parent}\ninclude-system-site-packages = false\n")
    site = Interpreter(python.prefix, python.name, folder).packages
    site.mkdir(parents=True)
    return site


def _needed_by_sdk() -> dict[str, Distribution]:
    """Returns the packages that every bot needs, as installed for this Python, by their normalized names."""
    found: dict[str, Distribution] = {}
    names = _requirements(distribution("bourre"))
    while names:
        name = names.pop()
        if name not in found:
            found[name] = distribution(name)
            names += _requirements(found[name])
    return found


def _requirements(package: Distribution) -> list[str]:
    """Returns the names of the packages that this one always needs."""
    plain = (line for line in package.requires or () if ";" not in line)
    return [normalized(found[0]) for line in plain if (found := match(r"[\w.-]+", line))]


def _add_sdk(needed: Mapping[str, Distribution], site: Path) -> None:
    """Adds the packages of the SDK in the versions of this program, and for bots without a sandbox the SDK itself."""
    for package in needed.values():
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), site / file)
    (site / "bourre-sdk.pth").write_text(f"{Path(bourre.__file__).parents[1]}\n")
