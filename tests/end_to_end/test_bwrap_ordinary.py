"""What ordinary programs do with Python, Node.js and libc also works in a sandbox: the filter blocks no honest bot."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bourre_referee.model.spec import BotEntry, Limits
from tests.end_to_end.boxes import boxed

ORDINARY = Path(__file__).parent / "ordinary"
ROOMY = Limits(memory_mib=512, processes=64, disk_mib=64)
"""A bot's default limit."""


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """Skips if this program is not installed, which CI does not allow."""
    reason = f"there is no {program} here: apt-get install {package}"
    return pytest.mark.skipif(not shutil.which(program), reason=reason)


def compiled(folder: Path) -> str:
    """Compiles the program in C."""
    program = folder / "work"
    words = ["cc", "-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", str(ORDINARY / "work.c"), "-o"]
    subprocess.run([*words, str(program)], check=True)
    return str(program)


def same_in_a_box(command: tuple[str, ...], folder: Path) -> None:
    """Whether it prints the same in a sandbox as outside, and exits with status 0 in both."""
    outside = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert outside.returncode == 0, outside.stdout + outside.stderr
    files = tuple(path.name for path in folder.iterdir())
    with boxed(BotEntry("tested", command, folder, files), folder.parent / "seats", ROOMY) as box:
        printed = box.printed()
        assert (printed, box.process.wait(60)) == (outside.stdout, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder with the program."""
    shutil.copytree(ORDINARY, tmp_path / "bot")
    return tmp_path / "bot"


def test_python_works_as_ever(folder: Path) -> None:
    same_in_a_box((sys.executable, "work.py"), folder)


@needs("node", "nodejs")
def test_node_works_as_ever(folder: Path) -> None:
    same_in_a_box((str(shutil.which("node")), "work.js"), folder)


@needs("cc", "gcc libc6-dev")
def test_a_program_in_c_works_as_ever(folder: Path) -> None:
    same_in_a_box((compiled(folder),), folder)
