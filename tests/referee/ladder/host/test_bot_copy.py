"""Copies of bots: what is copied, with which hash, and what a stranger cannot smuggle in."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.ladder.host import bot_copy
from bourre_referee.ladder.host.bot_copy import copy_bot, files_changed, hash_bot, watched_copy
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import LARGEST_BOT


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A bot with a file, a folder, a program, and what Python left behind."""
    source = tmp_path / "source"
    (source / "lib/__pycache__").mkdir(parents=True)
    (source / "bot.py").write_text("bot")
    (source / "lib/a.py").write_text("a")
    (source / "lib/__pycache__/a.pyc").write_text("compiled")
    (source / "run").write_text("run")
    (source / "run").chmod(0o755)
    return source


def test_files_and_folders_are_copied_with_their_hashes(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    hashes = copy_bot(["run", "lib", "bot.py", "lib/a.py"], source, target)
    assert hashes == tuple((path, hashlib.sha256((source / path).read_bytes()).hexdigest()) for path, _ in hashes)
    assert [path for path, _ in hashes] == ["bot.py", "lib/a.py", "run"]
    assert sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()) == [
        path for path, _ in hashes
    ]
    assert os.access(target / "run", os.X_OK)
    assert not os.access(target / "bot.py", os.X_OK)
    assert hash_bot(["run", "lib", "bot.py"], source) == hashes


def test_a_change_is_noticed(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    hashes = copy_bot(["bot.py", "lib"], source, target)
    watched = watched_copy(hashes, target)
    (target / "lib/__pycache__").mkdir()
    (target / "lib/__pycache__/a.pyc").write_text("left by Python")
    (target / "beside").write_text("which no box contains")
    assert watched.changes() == ()
    (target / "bot.py").write_text("bot 2")
    (target / "lib/a.py").unlink()
    assert watched.changes() == ("bot.py was changed", "lib/a.py is gone")
    (target / "bot.py").write_text("bot")
    (target / "lib/a.py").write_text("a")
    assert watched.changes() == ()


@pytest.mark.parametrize("make", [os.mkfifo, lambda file: file.symlink_to("a.py"), lambda file: _sparse(file)])
def test_what_no_copy_holds_is_a_change_and_is_not_read(
    source: Path, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    target = tmp_path / "target"
    watched = watched_copy(copy_bot(["bot.py", "lib"], source, target), target)
    assert watched.changes() == ()
    make(target / "lib/b\x1b.py")
    found = watched.changes()
    assert found == ("lib/b\x1b.py is new",)
    assert files_changed(found) == r"its files changed on disk: lib/b\x1b.py is new"
    assert files_changed([*found, "", ""]).endswith(" and 2 more")


@pytest.mark.parametrize(
    ("path", "change"), [("bot.py", "bot.py was changed"), ("lib", "lib is new"), ("lib/a.py", "lib/a.py was changed")]
)
def test_a_link_to_the_same_text_is_a_change(source: Path, tmp_path: Path, path: str, change: str) -> None:
    target = tmp_path / "target"
    watched = watched_copy(copy_bot(["bot.py", "lib"], source, target), target)
    (target / path).rename(tmp_path / "elsewhere")
    (target / path).symlink_to(tmp_path / "elsewhere")
    assert watched.changes()[0] == change


def _sparse(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(LARGEST_BOT + 1)


@pytest.mark.parametrize("path", ["link", "lib", "there/secret", "../secret", "/etc/hostname"])
def test_nothing_outside_is_copied(source: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("secret")
    (source / "link").symlink_to(tmp_path / "secret")
    (source / "lib/deep").symlink_to("../bot.py")
    (source / "there").symlink_to(tmp_path)
    with pytest.raises(ContestError, match=r"is a link, or outside of .*\nhint: use a copy of the file"):
        copy_bot([path], source, tmp_path / "target")


def test_a_pipe_is_refused(source: Path, tmp_path: Path) -> None:
    os.mkfifo(source / "lib/pipe")
    with pytest.raises(ContestError, match=r"No file .*lib/pipe"):
        copy_bot(["lib"], source, tmp_path / "target")


def test_a_bot_has_a_largest_size(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_copy, "LARGEST_BOT", 3)
    assert copy_bot(["bot.py"], source, tmp_path / "target")
    with pytest.raises(
        ContestError, match=r"lib/a\.py: with it, the bot is larger than 3 bytes.\nhint: use fewer files"
    ):
        copy_bot(["bot.py", "lib"], source, tmp_path / "target")
