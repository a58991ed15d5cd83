"""What a shell offers when it completes a `bourre` command, asked as bash asks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre.rules.house import PRESETS
from tests.referee import contests
from tests.referee.command import called
from tests.referee.in_process import run_in_process

BOURRE = Path(sys.prefix, "bin", "bourre")
Offered = Callable[[str, Path], list[str]]


def asked(line: str) -> dict[str, str]:
    """The environment in which bash asks to complete the last word of a line."""
    return {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_BOURRE_COMPLETE": "complete_bash"}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offered:
    """The completions of a line in a folder."""

    def words(line: str, folder: Path) -> list[str]:
        monkeypatch.chdir(folder)
        for name, value in asked(line).items():
            monkeypatch.setenv(name, value)
        done = called()
        assert (done.code, done.err) == (0, "")
        return done.out.split()

    return words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bourre pr", ["practice"]),
        ("bourre practice bot.py --ag", ["--against"]),
        ("bourre practice bot.py --against tight,ran", ["tight,random"]),
        ("bourre practice bot.py --rules ", list(PRESETS)),
        ("bourre check bot.py --rules ind", ["indiana"]),
        ("bourre rules show bo", ["booray"]),
        ("bourre new mybot --lang ", ["python", "node"]),
        ("bourre replay nowhere m", []),
    ],
)
def test_words_are_offered(offered: Offered, line: str, words: list[str], tmp_path: Path) -> None:
    assert offered(line, tmp_path) == words


def test_the_program_itself_offers_them(tmp_path: Path) -> None:
    told = os.environ | asked("bourre practice bot.py --ag")
    done = subprocess.run([BOURRE], cwd=tmp_path, env=told, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("--against\n", "")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of ten matches."""
    place = tmp_path_factory.mktemp("played")
    run_in_process(contests.small_contest(place), place / "run", contests.played)
    return place


@pytest.mark.parametrize("command", ["replay", "debug"])
def test_the_finished_matches_of_a_run_are_offered(offered: Offered, command: str, played: Path) -> None:
    assert offered(f"bourre {command} run m000", played) == [f"m000{number}" for number in range(1, 10)]


@pytest.mark.parametrize(
    ("shell", "line"),
    [("bash", "complete -o default -F"), ("zsh", "#compdef bourre"), ("fish", "complete --command bourre")],
)
def test_each_shell_gets_its_script(shell: str, line: str, tmp_path: Path) -> None:
    told = os.environ | {"_BOURRE_COMPLETE": f"source_{shell}"}
    done = subprocess.run([BOURRE], cwd=tmp_path, env=told, capture_output=True, text=True, check=True)
    assert line in done.stdout
    assert f"_BOURRE_COMPLETE=complete_{shell}" in done.stdout
