"""Builds wheels of this tree as `pip wheel .` does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import dev


def try_wheel(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Builds into this folder with these environment variables; pip says everything that the build does."""
    return _pip_wheel(folder, "--no-build-isolation", changes=changes)


def try_isolated_wheel(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Builds where only what the build asks for is installed, as on a user's machine; pip fetches that."""
    return _pip_wheel(folder, changes=changes)


def _pip_wheel(folder: Path, *options: str, changes: dict[str, str]) -> subprocess.CompletedProcess[str]:
    pip = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", *options, "-w", str(folder), "."]
    environ = os.environ | changes
    return subprocess.run(pip, cwd=dev.ROOT, env=environ, capture_output=True, text=True, check=False)


def build_wheel(folder: Path, **changes: str) -> Path:
    """Builds the only wheel of this folder."""
    done = try_wheel(folder, **changes)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpack(wheel: Path) -> Path:
    """Returns the folder `site` beside the wheel, with all that it installs."""
    with ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"
