"""installing.py: what is shown while pip works, and what remains of it afterwards."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dev
import installing

FETCHED = """\
Looking in indexes: https://index.example.org/simple
Ignoring colorama: markers 'sys_platform == "win32"' don't match your environment
Collecting annotated-doc==0.0.7 (from -r requirements.lock (line 1))
  Downloading annotated_doc-0.0.7-py3-none-any.whl (5.3 kB)
Requirement already satisfied: hatchling==1.33.0 in ./lib (from -r requirements.lock (line 951)) (1.33.0)
Processing /wheels/annotated_types-0.8.0-py3-none-any.whl (from -r requirements.lock (line 7))
"""
BUILDING = (
    "Building wheels for collected packages: trueskill\n  Building wheel for trueskill (pyproject.toml): started\n"
)
INSTALLING = "Installing collected packages: annotated-types, annotated-doc, trueskill\n"
PROGRAM = """\
import os, sys
fifo, packages = sys.argv[1:]
def wait(): open(fifo).read()
print("Collecting alpha==1.0 (from -r lock (line 1))", flush=True)
wait()
print("Installing collected packages: alpha, beta", flush=True)
wait()
os.makedirs(f"{packages}/alpha-1.0.dist-info")
open(f"{packages}/alpha-1.0.dist-info/RECORD", "w").close()
wait()
sys.exit("no space left")
"""


@pytest.mark.parametrize(
    ("said", "installed", "told"),
    [
        ("", [], ""),
        ("Looking in indexes: https://index.example.org/simple\n", [], ""),
        (FETCHED, [], "fetching package 2: annotated_types-0.8.0-py3-none-any.whl"),
        (FETCHED + BUILDING, [], "building trueskill"),
        (FETCHED + INSTALLING, [], "installed 0 of 3 packages"),
        (FETCHED + BUILDING + INSTALLING, ["a-1", "b-2"], "installed 2 of 3 packages: b-2"),
        ("Obtaining file:///home/me/bourre\n", [], "fetching package 1: bourre"),
        ("  Building editable for bourre (pyproject.toml): started\n", [], "building bourre"),
    ],
)
def test_what_pip_does_is_told_in_a_line(said: str, installed: list[str], told: str) -> None:
    assert installing.describe_step(said, installed) == told


def test_only_what_is_new_and_complete_counts_as_installed(tmp_path: Path) -> None:
    for name, written in (("old-1", 100), ("late-3", 300), ("early-2", 200)):
        record = tmp_path / f"{name}.0.dist-info" / "RECORD"
        record.parent.mkdir()
        record.touch()
        os.utime(record, (written, written))
    (tmp_path / "begun-4.0.dist-info").mkdir()
    assert installing.find_installed(200, tmp_path) == ["early-2.0", "late-3.0"]


@contextmanager
def started(command: list[str], write: int) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a program that may write to this pipe; it has ended at the end of the block."""
    with subprocess.Popen(command, cwd=dev.ROOT, pass_fds=[write]) as process:
        os.close(write)
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def test_every_step_is_shown_while_pip_works_and_all_it_said_where_it_fails(tmp_path: Path) -> None:
    fifo, (read, write) = tmp_path / "fifo", os.pipe()
    os.mkfifo(fifo)
    pip = [sys.executable, "-c", PROGRAM, str(fifo), str(tmp_path)]
    code = "import pathlib, sys, installing\n"
    code += f"with open({write}, 'w') as out:\n"
    code += f"  sys.exit(installing.install({pip!r}, pathlib.Path({str(tmp_path)!r}), out, 0.01))"
    steps = ("fetching package 1: alpha==1.0", "installed 0 of 2 packages", "installed 1 of 2 packages: alpha-1.0")
    with started([sys.executable, "-c", code], write) as process, open(read) as shown:
        for step in steps:
            assert shown.readline() == f"  {step}\n"
            fifo.write_text("")  # lets it go on
        rest = shown.read()
    assert process.returncode == 1
    assert "Collecting alpha==1.0" in rest
    assert rest.endswith("no space left\n\n")


class Terminal(io.StringIO):
    """A fake terminal that stores what is written to it."""

    def isatty(self) -> bool:
        """Claims to be a terminal."""
        return True


def test_a_terminal_has_one_line_that_is_gone_at_the_end() -> None:
    terminal = Terminal()
    installing.show(terminal, iter(["fetching package 1: a", "fetching package 1: a", "x" * 1000]))
    first, second, last = terminal.getvalue().split("\r\033[K")[1:]
    assert (first, last) == ("  fetching package 1: a", "")
    assert second.startswith("  xxx")
    assert len(second) < 1000


def test_a_stopped_installation_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(installing, "install", stopped)
    assert installing.main() == 130
