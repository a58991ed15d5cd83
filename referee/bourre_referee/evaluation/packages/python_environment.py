"""A virtual environment with the packages of a lock and of the SDK."""

from __future__ import annotations

import platform
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path
from re import match

import bourre
from bourre_referee.evaluation.packages.package_lock import LockedPackage, normalized
from bourre_referee.model.errors import ContestError
from bourre_referee.sandbox.bwrap.interpreter import Interpreter, interpreter_of


def _python() -> Interpreter:
    python = interpreter_of(Path(sys.executable))
    if python is None:
        raise ContestError(f"{sys.executable} cannot make environments.\nhint: run bourre with an ordinary CPython")
    return python


def digest_of(packages: Sequence[LockedPackage], needed: Mapping[str, Distribution]) -> str:
    """Returns a name for what these packages become on this platform, with this Python and this SDK."""
    parts = [platform.python_version(), sys.implementation.cache_tag or "", sysconfig.get_platform()]
    parts += [f"{name}=={found.version}" for name, found in sorted(needed.items())]
    parts += sorted(package.line for package in packages)
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


def make_environment(folder: Path) -> Path:
    """Makes an empty virtual environment of this program's Python, and returns the folder of its packages."""
    python = _python().base()
    program = python.prefix / "bin" / python.name
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(program)
    (folder / "pyvenv.cfg").write_text(f"home = {program.parent}\ninclude-system-site-packages = false\n")
    site = Interpreter(python.prefix, python.name, folder).packages
    site.mkdir(parents=True)
    return site


def needed_by_sdk() -> dict[str, Distribution]:
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


def add_sdk(needed: Mapping[str, Distribution], site: Path) -> None:
    """Adds the packages of the SDK in the versions of this program, and for bots without a sandbox the SDK itself."""
    for package in needed.values():
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), site / file)
    (site / "bourre-sdk.pth").write_text(f"{Path(bourre.__file__).parents[1]}\n")
