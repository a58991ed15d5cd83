"""What a run keeps and says of its bots: their files if it was asked to, and who had a network or another level."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run import bot_archive
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.contests import FILE, bot, write_contest
from tests.referee.in_process import finished_run, run_in_process
from tests.referee.rooms import played
from tests.referee.web.serving import serving

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
    finished_run(tmp_path)
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
    with pytest.raises(ContestError, match="is a link, but must be a regular file"):
        verify(source_of(folder), jobs=1)


def test_files_that_are_too_long_together_are_refused(
    contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_archive, "LARGEST", 60)
    with pytest.raises(ContestError, match=r"eve\.py: with it, the bots' files are larger than 60 bytes"):
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


NETWORKS = "network: ada (any public address), bob (api.example.org:443, 10.0.0.5:80)"
TALK = "network: ada, bob can talk to each other there, about their cards too"
LEVEL = "isolation: bob has level none, the contest best"
LISTED = 'network = ["api.example.org:443", "10.0.0.5:80"]\n[bots.isolation]\nlevel = "none"\n'
KEYS = {"ada": "network = true\n", "bob": LISTED}


def run_with(place: Path, keys: dict[str, str], bots: tuple[str, ...] = ("ada", "bob", "cy")) -> Path:
    """A finished run of bots with these keys."""
    file = write_contest(place, FILE.replace('level = "none"', ""), bots)
    file.write_text(FILE.replace('level = "none"', "") + "".join(bot(name) + keys.get(name, "") for name in bots))
    run_in_process(load(file), place / "run", played)
    return place / "run"


def test_the_run_and_standings_and_pages_show_who_had_what(tmp_path: Path, bourre: Bourre) -> None:
    folder = run_with(tmp_path, KEYS)
    assert {NETWORKS, TALK, LEVEL} < {*bourre("standings", folder).out.split("\n")}
    shown = json.loads(bourre("standings", folder, "--json").out)
    assert shown["network"] == {"ada": True, "bob": ["api.example.org:443", "10.0.0.5:80"]}
    assert shown["isolation"] == {"bob": "none"}
    with serving(folder) as it:
        answer = it.client.get("/api/standings").json()
        assert (answer["network"], answer["isolation"]) == (shown["network"], shown["isolation"])
        for line in (NETWORKS, TALK, LEVEL):
            assert line in it.text("/")
    again = bourre("run", folder.parent / "contest.toml", "--out", folder)
    assert {f"bourre: {line}" for line in (NETWORKS, TALK, LEVEL)} < {*again.err.split("\n")}


def test_one_network_lets_nobody_talk(tmp_path: Path, bourre: Bourre) -> None:
    shown = bourre("standings", run_with(tmp_path, {"bob": LISTED})).out
    assert "network: bob (api" in shown
    assert "talk to each other" not in shown


def test_where_all_bots_are_alike_nothing_is_said(tmp_path: Path, bourre: Bourre) -> None:
    folder = run_with(tmp_path, {"bob": "[bots.isolation]\nmemory_mib = 100\n"})
    shown = bourre("standings", folder).out
    assert "network" not in shown
    assert "isolation" not in shown
    assert {"network", "isolation"}.isdisjoint(json.loads(bourre("standings", folder, "--json").out))
