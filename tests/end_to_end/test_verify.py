"""A contest of real bots is verified, as its folder and as its export, and dealt again by the documented script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.end_to_end.test_contest import bourre, contest_file

SCRIPT = dev.ROOT / "docs" / "verify_deals.py"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run: bots that renege, take cards back, raise errors."""
    place = tmp_path_factory.mktemp("verify")
    done = bourre("run", contest_file(place / "contest"), "--out", place / "run")
    assert done.returncode == 0, done.stderr
    return place / "run"


def test_the_run_is_verified(kept: Path) -> None:
    done = bourre("verify", kept)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\ncards      30 deals dealt again" in done.stdout
    decisions = next(line for line in done.stdout.splitlines() if line.startswith("decisions"))
    assert " 0 reneges" not in decisions
    assert " 0 faults" not in decisions


def test_its_export_is_verified(kept: Path, tmp_path: Path) -> None:
    assert bourre("export", kept, "--format", "jsonl", "--out", tmp_path / "out").returncode == 0
    done = bourre("verify", tmp_path / "out", "--jobs", "2")
    assert (done.returncode, done.stdout) == (0, bourre("verify", kept).stdout)


def test_it_is_dealt_again_without_the_package(kept: Path) -> None:
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(kept)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "5 matches, 30 deals dealt again: no difference\n")


def test_a_match_that_was_taken_back_comes_to_the_same_digest(kept: Path) -> None:
    before = bourre("verify", kept).stdout
    assert bourre("void", kept, "4", "--reason", "a test").returncode == 0
    assert bourre("run", kept.parent / "contest" / "contest.toml", "--out", kept).returncode == 0
    after = bourre("verify", kept)
    assert after.returncode == 0
    assert after.stdout == f"{before}void       m0004, attempt 1: taken back by the organiser (a test)\n"
