"""Contests at level `container`, and engines for them: a fake one, and those of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bourre_referee
from tests.end_to_end import fake_engine

HONEST = Path(__file__).parent / "bots" / "draws.py"
"""An honest bot that draws from Python's `random`, so that it plays the same only where it gets the same seed."""
BOURRE = (sys.executable, "-m", "bourre_referee")
REFEREE = Path(bourre_referee.__file__).parents[1]


def contest_file(folder: Path, isolation: str, bots: tuple[str, ...] = ("ada", "bob", "cy")) -> Path:
    """Honest bots at one table, in every order; no bot is ever late."""
    folder.mkdir(exist_ok=True)
    (folder / "honest.py").write_text(HONEST.read_text())
    entered = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "honest.py"]\n' for name in bots)
    path = folder / "contest.toml"
    path.write_text(
        f'[contest]\nname = "boxed"\nseed = 7\n[table]\nseats = {len(bots)}\ndeals = 4\n[schedule]\nrounds = 1\n'
        f"[clock]\nstart_ms = 60000\ndecision_ms = 60000\n[isolation]\n{isolation}\n" + entered
    )
    return path


def run(contest: Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a contest by the command line, with one worker."""
    words = (*BOURRE, "run", str(contest), "--out", str(contest.parent / "run"), "--jobs", "1", "--json")
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=110, env=environment)


def standings(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON document that it printed."""
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@dataclass(frozen=True, slots=True)
class FakeEngine:
    """The only engine of an environment; it logs every command that it is given."""

    folder: Path

    @classmethod
    def named(cls, name: str, folder: Path) -> FakeEngine:
        """Creates it in a new folder, the only one on PATH."""
        folder.mkdir()
        program = folder / name
        program.write_text(f"#!{sys.executable}\n" + Path(fake_engine.__file__).read_text())
        program.chmod(0o755)
        return cls(folder)

    @property
    def environment(self) -> dict[str, str]:
        """This process's environment, with no program but this one."""
        return {**os.environ, "PATH": str(self.folder)}

    def calls(self, subcommand: str) -> list[list[str]]:
        """The commands that it was given, by their first word."""
        noted = (self.folder / "calls").read_text().splitlines()
        return [words for words in map(json.loads, noted) if words[0] == subcommand]
