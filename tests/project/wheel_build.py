"""Builds wheels of this tree."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from zipfile import ZipFile

import hatchling.build
import pytest

import dev


def build_wheel(folder: Path, **changes: str) -> Path:
    """Builds a wheel, by default a plain one, as pip does, but in this process, with what is installed here."""
    with pytest.MonkeyPatch.context() as patch, chdir(dev.ROOT):
        for name, value in ({"BOURRE_COMPILE": "no"} | changes).items():
            patch.setenv(name, value)
        return folder / hatchling.build.build_wheel(str(folder))


def build_isolated_wheel(folder: Path, **changes: str) -> Path:
    """Builds a wheel with these variables where only what the build asks for is installed. Pip fetches that."""
    pip = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "-w", str(folder), "."]
    environ = os.environ | {"PIP_COMPILE": "no"} | changes
    done = subprocess.run(pip, cwd=dev.ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpack(wheel: Path) -> Path:
    """Returns the folder `site` beside the wheel, with all that it installs."""
    with ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"
