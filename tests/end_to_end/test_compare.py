"""`bourre compare` with real processes: the same result as in one process; it is stored, resumable and verifiable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bourre_referee.cli.progress_meter
from bourre_referee.storage.run.run import Run
from tests.referee.command import Ended, called_in

WORDS = ("compare", "lowest", "loose", "--field", "counter", "--seed", "3", "--json")
FEW = ("--deals", "30")
"""It plays them all, because it stops after 200 at the earliest."""
SECOND = 11
"""The exit code of a verdict for the second bot."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(scope="module")
def kept(folder: Path) -> Ended:
    """A comparison that stored a run folder; it would tell its progress all the time, were it not piped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bourre_referee.cli.progress_meter, "EVERY_SECONDS", 0)
        return called_in(folder, *WORDS, *FEW, "--out", "run", "--jobs", "1")


def test_it_shows_no_progress_where_it_is_piped(kept: Ended) -> None:
    assert "practice seed 3" in kept.err
    assert "matches/s" not in kept.err


@pytest.mark.long
def test_it_stops_early_and_says_by_its_exit_code_who_is_better(folder: Path) -> None:
    done = called_in(folder, *WORDS, "--deals", "300", "--out", "early", "--jobs", "2")
    assert done.code == 11, done.err
    found = json.loads(done.out)
    assert found["better"] == "loose"
    assert found["deals"] < 300
    assert "Traceback" not in done.err


def test_one_process_finds_the_same(kept: Ended, folder: Path) -> None:
    here = called_in(folder, *WORDS, *FEW, "--in-process")
    assert here.code == SECOND, here.err
    assert here.out == kept.out


def test_what_is_kept_is_a_run_that_lost_nothing(kept: Ended, folder: Path) -> None:
    run = Run.open(folder / "run")
    assert run.voids() == []
    played = run.manifest.terms.deals * len(run.matches())
    assert json.loads(kept.out)["deals"] <= played
    verified = called_in(folder, "verify", "run")
    assert verified.code == 0, verified.err


def test_the_same_command_finds_its_answer_in_what_is_kept(kept: Ended, folder: Path) -> None:
    before = Run.open(folder / "run").matches()
    again = called_in(folder, *WORDS, *FEW, "--out", "run")
    assert (again.code, again.out) == (SECOND, kept.out)
    assert Run.open(folder / "run").matches() == before
