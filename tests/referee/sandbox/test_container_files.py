"""Which files of a bot go into its container: its own, readable, and nothing that they only link to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles
from bourre_referee.sandbox.container.container_command import command_inside
from bourre_referee.sandbox.private_copy import copy_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with two bots, one of which has a folder of its own."""
    folder = tmp_path / "contest"
    (folder / "ada" / "data").mkdir(parents=True)
    for name in ("ada/bot.py", "ada/data/table", "bob.py"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o600)
    (tmp_path / "secret").write_text("secret")
    return folder


def packed(entry: Entry, target: Path) -> dict[str, str]:
    """The paths and modes of the files in its /bot."""
    bot_files = SandboxFiles(entry)
    copy_files(bot_files.folder, bot_files.binds(), target)
    return {
        path.relative_to(target).as_posix(): "link" if path.is_symlink() else f"{path.stat().st_mode & 0o777:o}"
        for path in target.rglob("*")
    }


def test_a_bots_own_files_come_along_and_anybody_may_read_them(folder: Path, tmp_path: Path) -> None:
    (folder / "ada" / "bot.py").chmod(0o700)
    entry = Entry("ada", ("python", "ada/bot.py"), folder, ("ada",))
    assert packed(entry, tmp_path / "to") == {
        "ada": "755",
        "ada/bot.py": "755",
        "ada/data": "755",
        "ada/data/table": "644",
    }


def test_links_of_the_author_stay_links(folder: Path, tmp_path: Path) -> None:
    (folder / "ada" / "peek").symlink_to(tmp_path / "secret")
    (folder / "ada" / "peek-all").symlink_to(tmp_path)
    found = packed(Entry("ada", ("python", "ada/bot.py"), folder, ("ada",)), tmp_path / "to")
    assert (found["ada/peek"], found["ada/peek-all"]) == ("link", "link")
    assert (tmp_path / "secret").stat().st_mode & 0o777 != 0o755


def test_a_file_that_leads_out_of_the_folder_or_is_not_there_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "cy.py").symlink_to(tmp_path / "secret")
    with pytest.raises(
        OSError, match="leads through a link to something else, which its `files` do not list: ask its author"
    ):
        packed(Entry("cy", ("python", "cy.py"), folder, ("cy.py",)), tmp_path / "to")
    with pytest.raises(OSError, match="nothing"):
        packed(Entry("cy", ("python", "nothing"), folder, ("nothing",)), tmp_path / "to")


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        ((sys.executable, "bob.py"), ("python3", "bob.py")),
        (("/usr/bin/node", "bob.py", "--fast"), ("node", "bob.py", "--fast")),
        (("{folder}/bob.py", "{folder}/other"), ("/bot/bob.py", "{folder}/other")),
    ],
)
def test_a_command_is_translated_for_the_image(folder: Path, command: tuple[str, ...], inside: tuple[str, ...]) -> None:
    entry = Entry("bob", tuple(word.format(folder=folder) for word in command), folder, ("bob.py",))
    assert command_inside(entry, SandboxFiles(entry)) == tuple(word.format(folder=folder) for word in inside)


def test_a_venv_of_the_host_is_refused(folder: Path) -> None:
    entry = Entry("bob", ("python", "bob.py"), folder, ("bob.py",), venv=Path("/venv"))
    with pytest.raises(OSError, match="into the image"):
        command_inside(entry, SandboxFiles(entry))
