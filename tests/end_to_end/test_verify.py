"""A contest of real bots is verified, from its folder and from its export, and dealt again by the documented script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.end_to_end.test_contest import contest_file
from tests.referee.command import called_in

SCRIPT = dev.ROOT / "docs" / "verify_deals.py"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run: bots that renege, and that raise errors."""
    place = tmp_path_factory.mktemp("verify")
    done = called_in(place, "run", contest_file(place / "contest"), "--out", "run")
    assert done.code == 0, done.err
    return place / "run"


def test_the_run_is_verified(kept: Path) -> None:
    done = called_in(kept, "verify", ".")
    assert (done.code, done.err) == (0, "")
    assert "\ncards      36 deals dealt again" in done.out
    decisions = next(line for line in done.out.splitlines() if line.startswith("decisions"))
    assert " 0 reneges" not in decisions
    assert " 0 faults" not in decisions


def test_its_export_is_verified(kept: Path, tmp_path: Path) -> None:
    assert called_in(tmp_path, "export", kept, "--format", "jsonl", "--out", "out").code == 0
    done = called_in(tmp_path, "verify", "out", "--jobs", "2")
    assert (done.code, done.out) == (0, called_in(kept, "verify", ".").out)


def test_it_is_dealt_again_without_the_package(kept: Path) -> None:
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(kept)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "6 matches, 36 deals dealt again: no difference\n")


def test_a_match_that_was_taken_back_comes_to_the_same_digest(kept: Path) -> None:
    before = called_in(kept, "verify", ".").out
    assert called_in(kept, "void", ".", "4", "--reason", "a test").code == 0
    assert called_in(kept.parent, "run", "contest/contest.toml", "--out", "run").code == 0
    after = called_in(kept, "verify", ".")
    assert after.code == 0
    *same, void, verdict = after.out.splitlines()
    assert void == "void       m0004, attempt 1: voided by the organiser (a test)"
    same.append(verdict)
    assert [line for line in same if "its head is" not in line] == [
        line for line in before.splitlines() if "its head is" not in line
    ]
    assert "finished 2 times, voided, continued; its head is" in after.out
