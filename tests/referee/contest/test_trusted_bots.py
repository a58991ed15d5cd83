"""Format `duplicate` refuses bots that their authors start unless they are marked as trusted, which everyone sees."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.contest.contest_file import load
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.run.run import Run
from tests.referee.command import Bourre
from tests.referee.tampering import Tamperer
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import serving

pytestmark = pytest.mark.xdist_group("processes")

LINE = "trusted: tight: started by the author, who could see every hand of a deal, seating by seating"
REFUSED = (
    'contest.toml:{}: [[bots]] tight: with connect = true, format = "duplicate" shows the author of the bot every hand '
    'of a deal, seating by seating.\nhint: set format = "session", a command, or trusted = true for an author whom you '
    "trust"
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with one bot that its author started."""
    return duplicate_run(tmp_path_factory.mktemp("kept"), connecting="tight")


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it, with its contest beside it."""
    return copytree(kept.parent, tmp_path / "copy") / kept.name


def edit(file: Path, old: str, new: str) -> Path:
    """Replaces a text in a contest file, which must contain it."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return file


def refusal(file: Path) -> str:
    """The error in a contest file, without the folder's path."""
    with pytest.raises(ContestError) as caught:
        load(file)
    return str(caught.value).replace(f"{file.parent}/", "")


def test_a_bot_that_its_author_starts_is_refused_unless_it_is_trusted(folder: Path) -> None:
    file = edit(folder.parent / "contest.toml", "\ntrusted = true", "")
    line = 1 + file.read_text().split("\n").index("connect = true")
    assert refusal(file) == REFUSED.format(line)
    assert load(edit(file, 'format = "duplicate"', 'format = "session"')).format == "session"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("trusted = true", "trusted = 1", "trusted = 1: must be true or false"),
        ("trusted = true", "trustd = true", "Unknown key 'trustd'. Did you mean 'trusted'?"),
        (
            "connect = true",
            'command = ["python", "contest.toml"]',
            "trusted needs connect = true or a network.\nhint: remove trusted",
        ),
    ],
)
def test_what_is_no_trust_is_refused(folder: Path, old: str, new: str, said: str) -> None:
    assert said in refusal(edit(folder.parent / "contest.toml", old, new))


def test_manifest_and_standings_name_who_is_trusted(folder: Path, bourre: Bourre) -> None:
    bots = json.loads((folder / "manifest.json").read_text())["terms"]["bots"]
    assert {bot["name"]: bot["trusted"] for bot in bots} == {"follower": False, "loose": False, "tight": True}
    assert LINE in bourre("standings", folder).out.split("\n")
    assert json.loads(bourre("standings", folder, "--json").out)["trusted"] == ["tight"]
    with serving(folder) as it:
        assert it.client.get("/api/standings").json()["trusted"] == ["tight"]
        assert LINE in it.text("/")


def test_where_nobody_has_to_be_trusted_nothing_is_said(tmp_path: Path, bourre: Bourre) -> None:
    folder = duplicate_run(tmp_path)
    assert "trusted" not in bourre("standings", folder).out
    assert "trusted" not in json.loads(bourre("standings", folder, "--json").out)


def test_who_is_trusted_cannot_change_on_the_way(folder: Path) -> None:
    begun = Run.open(folder).manifest
    bots = tuple(bot.model_copy(update={"trusted": False}) for bot in begun.terms.bots)
    now = begun.terms.model_copy(update={"bots": bots})
    assert changes(begun, begun.contest, now) == ["bot tight: trusted was true, is false"]


def test_a_folder_that_is_older_than_the_word_is_proved_and_goes_on(folder: Path, bourre: Bourre) -> None:
    Tamperer(folder).forget_log()
    manifest = json.loads((folder / "manifest.json").read_text())
    for bot in manifest["terms"]["bots"]:
        del bot["trusted"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert bourre("verify", folder).code == 0
    assert LINE in bourre("standings", folder).out
    assert run(load(folder.parent / "contest.toml"), folder).manifest.complete
