"""The files of a bot for which nobody lists any: its folder if that is its own, else what its command names."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.contest import default_files as limits
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.default_files import default_files
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.run_changes import as_begun, changes
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.run_writer import begin_run
from tests.referee.contests import FILE, write_contest

ADA = ("python", "bots/ada/bot.py")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a contest with a bot of several files in a folder of its own, and others beside."""
    (tmp_path / "bots" / "ada" / "data").mkdir(parents=True)
    for name in ("bots/ada/bot.py", "bots/ada/own.py", "bots/ada/weights.txt", "bots/ada/data/table", "bob.py"):
        (tmp_path / name).touch()
    return tmp_path


def contest_of(folder: Path, *commands: str) -> Contest:
    """A contest of bots with these commands."""
    names = ("ann", "bea", "cat")
    bots = [f'[[bots]]\nname = "{name}"\ncommand = {words}\n' for name, words in zip(names, commands, strict=True)]
    return load(write_contest(folder, FILE + "\n".join(bots), ()))


def entered(folder: Path, *commands: str) -> list[tuple[str, ...]]:
    """The files of bots with these commands, as a contest file enters them."""
    return [entrant.files for entrant in contest_of(folder, *commands).entrants]


def test_a_folder_of_its_own_comes_along(folder: Path) -> None:
    whole = ("bots/ada/bot.py", "bots/ada/data", "bots/ada/own.py", "bots/ada/weights.txt")
    assert default_files(ADA, folder) == whole
    cat = '["python", "bob.py"]'
    assert entered(folder, '["python", "bots/ada/bot.py"]', cat, cat) == [whole, ("bob.py",), ("bob.py",)]


def test_bots_of_the_same_files_share_the_folder(folder: Path) -> None:
    first, second, _ = entered(folder, str([*ADA, "1"]), str([*ADA, "2"]), '["python", "bob.py"]')
    assert first == second == default_files(ADA, folder)


def test_a_folder_with_a_file_of_another_bot_does_not(folder: Path) -> None:
    other = '["python", "bots/ada/own.py"]'
    assert entered(folder, str([*ADA]), other, other)[:2] == [("bots/ada/bot.py",), ("bots/ada/own.py",)]


@pytest.mark.parametrize("section", ["bots", "staff"])
def test_a_folder_with_a_contest_file_does_not(folder: Path, section: str) -> None:
    (folder / "bots/ada/pyproject.toml").write_text("[[tool.mypy.overrides]]\n")
    assert "bots/ada/own.py" in default_files(ADA, folder)
    (folder / "bots/ada/mine.toml").write_text(f'[contest]\nname = "x"\n[[{section}]]\n')
    assert default_files(ADA, folder) == ("bots/ada/bot.py",)


def test_what_is_made_hidden_or_a_link_stays_out(folder: Path, tmp_path: Path) -> None:
    own = folder / "bots/ada"
    whole = default_files(ADA, folder)
    for made in (".git", "__pycache__", "runs", "env", "old", "empty"):
        (own / made).mkdir()
    (own / "env" / "pyvenv.cfg").touch()
    (own / "old" / "run.db").touch()
    (own / "link").symlink_to(tmp_path)
    assert default_files(ADA, folder) == whole


@pytest.mark.parametrize("inside", [True, False])
def test_a_folder_with_a_link_that_leads_out_stays_out(folder: Path, inside: bool) -> None:
    (folder / "bots/ada/data/link").symlink_to("table" if inside else "../../../bob.py")
    assert ("bots/ada/data" in default_files(ADA, folder)) == inside


def test_a_private_file_stops_no_contest_of_root(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that root starts are nobody's."""
    (folder / "bots/ada/data/table").chmod(0o600)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert default_files(ADA, folder) == ("bots/ada/bot.py", "bots/ada/own.py", "bots/ada/weights.txt")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "bots/ada/data" in default_files(ADA, folder)


@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 2), ("MOST_BYTES", 9)])
def test_a_large_folder_does_not(folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    (folder / "bots/ada/data/table").write_text("0123456789")
    monkeypatch.setattr(limits, limit, most)
    assert default_files(ADA, folder) == ("bots/ada/bot.py",)


@pytest.mark.parametrize("command", [("python", "-m", "bots.ada.bot"), ("python", "bots/ada"), ("python", "bob.py")])
def test_other_commands_bring_what_they_name(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "contest.toml").write_text("[[bots]]\n")
    assert default_files(command, folder) == tuple(word for word in command if "/" in word or word == "bob.py")


def test_files_without_the_file_that_the_command_runs_are_refused(folder: Path) -> None:
    lines = '[[bots]]\nname = "ada"\ncommand = ["python", "bots/ada/bot.py"]\nfiles = ["bots/ada/own.py"]\n'
    with pytest.raises(ContestError, match=r"the command runs 'bots/ada/bot\.py', which files does not list"):
        load(write_contest(folder, FILE + lines, ()))


def test_a_run_that_began_with_what_commands_name_goes_on_with_that(folder: Path) -> None:
    bob = '["python", "bob.py"]'
    contest = contest_of(folder, str([*ADA]), bob, bob)
    ada, *others = contest.entrants
    before = terms_of(replace(contest, entrants=(replace(ada, files=("bots/ada/bot.py",)), *others)))
    begun = begin_run("small", before, bytes(32), 1, datetime.now(UTC))
    assert changes(begun, "small", terms_of(contest))
    assert changes(begun, "small", terms_of(as_begun(contest, begun))) == []
    listed = replace(contest, entrants=(replace(ada, files_by_default=False), *others))
    assert as_begun(listed, begun) == listed
