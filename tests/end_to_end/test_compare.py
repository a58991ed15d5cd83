"""`bourre compare` with real processes: the same result as in one process; it is stored, resumable and verifiable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import bourre_referee.cli.progress
from bourre_referee.storage.run import Run
from tests.referee.command import called_in

BOURRE = (sys.executable, "-m", "bourre_referee")
WORDS = ("compare", "lowest", "loose", "--field", "counter", "--seed", "3", "--deals", "450", "--json")


def bourre(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run([*BOURRE, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=110)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(scope="module")
def kept(folder: Path) -> subprocess.CompletedProcess[str]:
    """A comparison that stored a run folder."""
    return bourre(folder, *WORDS, "--out", "run", "--jobs", "2")


def test_it_shows_no_progress_where_it_is_piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bourre_referee.cli.progress, "EVERY_SECONDS", 0)
    done = called_in(tmp_path, "compare", "lowest", "loose", "--seats", "2", "--seed", "3", "--deals", "12")
    assert done.code in (10, 11, 12), done.err
    assert "practice seed 3" in done.err
    assert "matches/s" not in done.err


def test_it_stops_early_and_says_by_its_exit_code_who_is_better(kept: subprocess.CompletedProcess[str]) -> None:
    assert kept.returncode == 11, kept.stderr
    found = json.loads(kept.stdout)
    assert found["better"] == "loose"
    assert found["deals"] < 450
    assert "Traceback" not in kept.stderr


def test_one_process_finds_the_same(kept: subprocess.CompletedProcess[str], folder: Path) -> None:
    here = called_in(folder, *WORDS, "--in-process")
    assert here.code == 11, here.err
    assert here.out == kept.stdout


def test_what_is_kept_is_a_run_that_was_called_off_and_lost_nothing(
    kept: subprocess.CompletedProcess[str], folder: Path
) -> None:
    run = Run.open(folder / "run")
    assert run.voids() == []
    assert json.loads(kept.stdout)["deals"] <= 50 * len(run.matches()) < 450
    verified = called_in(folder, "verify", "run")
    assert verified.code == 0, verified.err


def test_the_same_command_finds_its_answer_in_what_is_kept(
    kept: subprocess.CompletedProcess[str], folder: Path
) -> None:
    before = Run.open(folder / "run").matches()
    again = called_in(folder, *WORDS, "--out", "run")
    assert (again.code, again.out) == (11, kept.stdout)
    assert Run.open(folder / "run").matches() == before
