"""What a shell offers where a command of `bourre` is completed, asked as bash asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bourre.rules.house import PRESETS
from tests.referee import contests
from tests.referee.here import run_here

BOURRE = Path(sys.prefix, "bin", "bourre")


def offered(line: str, folder: Path) -> list[str]:
    """What is offered for the last word of a line."""
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_BOURRE_COMPLETE": "complete_bash"}
    done = subprocess.run([BOURRE], cwd=folder, env=os.environ | asked, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bourre pr", ["practice"]),
        ("bourre practice bot.py --ag", ["--against"]),
        ("bourre practice bot.py --against tight,ran", ["tight,random"]),
        ("bourre practice bot.py --preset ", list(PRESETS)),
        ("bourre check bot.py --preset ind", ["indiana"]),
        ("bourre rules show bo", ["booray"]),
        ("bourre new mybot --lang ", ["python", "node"]),
        ("bourre replay nowhere m", []),
    ],
)
def test_words_are_offered(line: str, words: list[str], tmp_path: Path) -> None:
    assert offered(line, tmp_path) == words


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of ten matches."""
    place = tmp_path_factory.mktemp("played")
    run_here(contests.small_contest(place), place / "run", contests.played)
    return place


@pytest.mark.parametrize("command", ["replay", "repro"])
def test_the_finished_matches_of_a_run_are_offered(command: str, played: Path) -> None:
    assert offered(f"bourre {command} run m000", played) == [f"m000{number}" for number in range(1, 10)]


@pytest.mark.parametrize(
    ("shell", "line"),
    [("bash", "complete -o default -F"), ("zsh", "#compdef bourre"), ("fish", "complete --command bourre")],
)
def test_each_shell_gets_its_script(shell: str, line: str, tmp_path: Path) -> None:
    asked = os.environ | {"_BOURRE_COMPLETE": f"source_{shell}"}
    done = subprocess.run([BOURRE], cwd=tmp_path, env=asked, capture_output=True, text=True, check=True)
    assert line in done.stdout
    assert f"_BOURRE_COMPLETE=complete_{shell}" in done.stdout
