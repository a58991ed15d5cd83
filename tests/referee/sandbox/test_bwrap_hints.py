"""The hints for a sandbox that could not be prepared."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bourre_referee.sandbox.bwrap.bwrap_probe import explain, explain_unreadable


def test_a_refusal_of_the_system_names_the_file_and_a_hint() -> None:
    said = explain(PermissionError(13, "Permission denied", "/private/bin/python"))
    what, _, hint = said.partition("; ")
    assert what == "/private/bin/python: Permission denied"
    assert hint.startswith("the user who runs bourre must be able to read it")


def test_an_error_that_has_its_hint_is_left_as_it_is() -> None:
    assert explain(OSError("x is a link: make it anew")) == "x is a link: make it anew"


@pytest.mark.parametrize("name", ["bots", "my bots; $(touch gone)", "it's"])
def test_the_command_that_opens_a_bots_files_opens_nothing_else(tmp_path: Path, name: str) -> None:
    """Follows no link, and changes no file that has a second name."""
    bots, key = tmp_path / name, tmp_path / "key"
    bots.mkdir(mode=0o700)
    for private in (key, tmp_path / "other", bots / "bot.py", bots / "-exec"):
        private.touch(mode=0o600)
    (bots / "link").symlink_to(key)
    (bots / "second").hardlink_to(tmp_path / "other")
    told, _, command = explain_unreadable(bots / "bot.py", bots).partition(" to run: ")
    assert told == (
        f"{bots}/bot.py: bots that root starts run as nobody, who may not read it: ask its owner, {bots.owner()},"
    )
    subprocess.run(["/bin/sh", "-c", command], check=True, cwd=tmp_path)
    assert [rights(path) for path in (bots, bots / "bot.py", bots / "-exec")] == [0o705, 0o604, 0o604]
    assert (rights(key), rights(tmp_path / "other")) == (0o600, 0o600)
    assert not (tmp_path / "gone").exists()


def rights(path: Path) -> int:
    """Its permissions, as a number for chmod."""
    return path.stat().st_mode & 0o777


def test_nobody_is_told_to_open_a_file_that_has_a_second_name(tmp_path: Path) -> None:
    (tmp_path / "key").touch(mode=0o600)
    (tmp_path / "data").hardlink_to(tmp_path / "key")
    said = explain_unreadable(tmp_path / "data", tmp_path / "data")
    assert said.endswith("and it has a second hard link elsewhere: ask its author to put a copy there")
    assert "chmod" not in said


def test_the_owner_may_have_no_name_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(path: Path) -> str:
        raise KeyError(path)

    monkeypatch.setattr(Path, "owner", nobody)
    (tmp_path / "bot\x1b.py").touch(mode=0o600)
    said = explain_unreadable(tmp_path / "bot\x1b.py", tmp_path)
    assert f"ask its owner, user {os.geteuid()}, to run: " in said
    assert "\x1b" not in said
