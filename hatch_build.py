"""Adds compiled modules to the wheel on machines that can compile them; hatchling runs this during a build.

BOURRE_COMPILE chooses: `auto`, the default, compiles where it can; `yes` fails where it cannot; `no` never compiles.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilderConfig

SWITCH = "BOURRE_COMPILE"
CHOICES = ("auto", "yes", "no")
REQUIREMENTS = ("mypy>=2.4,<3", "setuptools>=77")
"""What compiles; a build without a C compiler does not ask for them."""


class CompiledModules(BuildHookInterface[WheelBuilderConfig]):
    """Compiles into a temporary folder, from which hatchling fills the wheel; the sources stay as they are."""

    def dependencies(self) -> list[str]:
        """Returns what pip must install before this build."""
        return [] if choice() == "no" or find_obstacle() else list(REQUIREMENTS)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the compiled modules, and with them the tag of this Python and platform; never to an editable wheel."""
        asked = choice()
        if version == "editable" or asked == "no":
            return
        self._folder = TemporaryDirectory()
        obstacle = find_obstacle() or compile_modules(Path(self.root), Path(self._folder.name))
        if obstacle and asked == "yes":
            sys.exit(f"{SWITCH}=yes, but {obstacle}")
        if obstacle:
            self.app.display_warning(f"This wheel is plain Python: {obstacle}")
            return
        self.app.display_info("This wheel is compiled.")
        build_data.update(pure_python=False, infer_tag=True)
        modules = Path(self._folder.name).rglob("*.so")
        build_data["force_include"] |= {str(path): path.relative_to(self._folder.name).as_posix() for path in modules}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary folder."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def choice() -> str:
    """Returns the value of the switch; ends the program if it is not a choice."""
    asked = os.environ.get(SWITCH) or CHOICES[0]
    if asked not in CHOICES:
        sys.exit(f"{SWITCH} must be one of {', '.join(CHOICES)}, not {asked!r}")
    return asked


def find_obstacle() -> str:
    """Returns why C cannot be compiled for this Python, with the fix; an empty text if nothing seems to be missing."""
    if platform.python_implementation() != "CPython":
        return "mypyc compiles for CPython only"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler {compiler!r} here. Fix, on Debian and Ubuntu: apt-get install gcc libc6-dev"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "this Python came without Python.h. Fix, on Debian and Ubuntu: apt-get install python3-dev"
    return ""


def compile_modules(root: Path, out: Path) -> str:
    """Compiles into this folder; returns the last line of the error if that fails, otherwise an empty text."""
    command = [sys.executable, str(root / "compiling.py"), str(root), str(out)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.split("\n")
    return next((line for line in reversed(lines) if line.strip()), "compiling failed") if done.returncode else ""
