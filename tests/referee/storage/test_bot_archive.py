"""`[contest] archive = true`: the run folder keeps the bots' files, and `bourre verify` compares them."""

import hashlib
import shutil
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run import bot_archive
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import run_in_process

ARCHIVED = contests.FILE.replace("seed = 7\n", "seed = 7\narchive = true\n")
ADA = hashlib.sha256(b"print('ada')\n").hexdigest()


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest", ARCHIVED)


@pytest.fixture
def folder(contest: Contest, tmp_path: Path) -> Path:
    run_in_process(contest, tmp_path / "run")
    return tmp_path / "run"


def test_every_file_is_kept_under_its_hash(bourre: Bourre, folder: Path, contest: Contest) -> None:
    assert (folder / "bots" / ADA).read_bytes() == b"print('ada')\n"
    kept = {path.name for path in (folder / "bots").iterdir()}
    assert kept == {file.sha256 for file in Run.open(folder).manifest.bot_files}
    assert "archive    5 files of the bots have the hashes in the terms\n" in bourre("verify", folder).out
    assert run_in_process(contest, folder, fresh=True).manifest.complete
    shutil.rmtree(folder / "bots")
    assert "archive    the run kept the bots' files, but they are not here\n" in bourre("verify", folder).out


def test_nothing_is_kept_unasked(tmp_path: Path) -> None:
    run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "run")
    assert not (tmp_path / "run" / "bots").exists()


def test_an_export_leaves_the_files_out(bourre: Bourre, folder: Path, tmp_path: Path) -> None:
    bourre("export", folder, "--format", "jsonl", "--out", tmp_path / "out")
    assert not (tmp_path / "out" / "bots").exists()
    assert bourre("verify", tmp_path / "out").code == 0


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda bots: (bots / ADA).write_text("print('eve')\n"), f"bots: {ADA}, which is 'ada.py', has another hash"),
        (lambda bots: (bots / ADA).unlink(), f"bots: 'ada.py' is missing: no file there is named {ADA}"),
        (lambda bots: (bots / "more").write_text(""), "bots: no bot has the file 'more'"),
    ],
)
def test_another_file_is_found(folder: Path, harm: object, said: str) -> None:
    assert callable(harm)
    harm(folder / "bots")
    with pytest.raises(Difference) as found:
        verify(source_of(folder), jobs=1)
    assert str(found.value) == said


def test_a_link_is_not_followed(folder: Path) -> None:
    (folder / "bots" / ADA).unlink()
    (folder / "bots" / ADA).symlink_to(folder / "manifest.json")
    with pytest.raises(ContestError, match="it is a link, but must be a regular file"):
        verify(source_of(folder), jobs=1)


def test_files_that_are_too_long_together_are_refused(
    contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_archive, "LARGEST", 60)
    with pytest.raises(ContestError, match=r"eve\.py: with it, the bots' files are longer than 60 bytes"):
        run_in_process(contest, tmp_path / "run")
    assert not (tmp_path / "run" / "manifest.json").exists()
    monkeypatch.undo()
    (tmp_path / "contest" / "ada.py").write_text("print('another')\n")
    run_in_process(contest, tmp_path / "run")
    assert verify(source_of(tmp_path / "run"), jobs=1).archived


def test_the_hash_of_a_stranger_leads_nowhere(folder: Path) -> None:
    file = Run.open(folder).manifest.bot_files[0].model_copy(update={"sha256": "../manifest.json"})
    (problem, *_) = bot_archive.archive_problems([file], folder / "bots")
    assert problem == "the hash '../manifest.json' of 'ada.py' is no SHA-256"
