"""Bots' files on the way to another machine: named by their content, checked where they arrive."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec
from bourre_referee.runner.cluster import bot_files
from bourre_referee.runner.cluster.bot_files import FetchedFiles, pack

ADA = BotSpec("ada", ("python", "bots/ada.py"), files=("bots",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with a bot of two files."""
    (tmp_path / "contest/bots/__pycache__").mkdir(parents=True)
    (tmp_path / "contest/bots/ada.py").write_text("print(1)\n")
    (tmp_path / "contest/bots/run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "contest/bots/run.sh").chmod(0o755)
    (tmp_path / "contest/bots/__pycache__/ada.pyc").write_text("stale")
    return tmp_path / "contest"


def test_a_fetched_bot_is_the_same_as_at_home(folder: Path, tmp_path: Path) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    assert packed.bot == replace(ADA, sha256=packed.bundle.sha256)
    assert there.lacks(packed.bundle)
    there.unpack(packed.bundle, packed.contents())
    assert not there.lacks(packed.bundle)
    assert there.problem(packed.bundle) is None
    entry = Site(tmp_path / "there", tmp_path, "python3", is_fetched=True).entry(packed.bot)
    assert (entry.command, entry.own_folder) == (("python3", "ada.py"), "bots")
    assert [path.name for path in sorted((entry.folder / "bots").iterdir())] == ["ada.py", "run.sh"]
    assert (entry.folder / "bots/ada.py").read_text() == "print(1)\n"
    assert os.access(entry.folder / "bots/run.sh", os.X_OK)


def test_fetching_twice_changes_nothing(folder: Path, tmp_path: Path) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    for _ in range(2):
        there.unpack(packed.bundle, packed.contents())
    assert [path.name for path in (tmp_path / "there").iterdir()] == [packed.bundle.sha256]


@pytest.mark.parametrize("content", [b"print(2)\n", None])
def test_a_changed_byte_or_a_missing_file_is_found_later_too(
    folder: Path, tmp_path: Path, content: bytes | None
) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    there.unpack(packed.bundle, packed.contents())
    assert there.problem(packed.bundle) is None
    place = tmp_path / "there" / packed.bundle.sha256 / "bots/ada.py"
    place.unlink()
    if content:
        place.write_bytes(content)
    problem = there.problem(packed.bundle)
    assert problem is not None
    assert problem.startswith(f"{place}: {'it was changed here' if content else 'No such file'}")


def test_a_bundle_is_named_by_names_contents_and_what_may_run(folder: Path) -> None:
    names = {pack(ADA, folder).bundle.sha256}
    (folder / "bots/ada.py").chmod(0o755)
    names.add(pack(ADA, folder).bundle.sha256)
    (folder / "bots/ada.py").write_text("print(2)\n")
    names.add(pack(ADA, folder).bundle.sha256)
    (folder / "bots/ada.py").rename(folder / "bots/eve.py")
    names.add(pack(ADA, folder).bundle.sha256)
    assert len(names) == 4


def test_a_file_elsewhere_gets_a_name_inside(folder: Path, tmp_path: Path) -> None:
    place = str(folder / "bots/ada.py")
    (tmp_path / "other").mkdir()
    packed = pack(BotSpec("ada", ("python", place, "--level"), files=(place, "../contest/bots")), tmp_path / "other")
    assert packed.bot.command == ("python", "elsewhere0/ada.py", "--level")
    assert packed.bot.files == ("elsewhere0/ada.py", "elsewhere1/bots")
    names = [file.path for file in packed.bundle.files]
    assert names == ["elsewhere0/ada.py", "elsewhere1/bots/ada.py", "elsewhere1/bots/run.sh"]


def test_an_absolute_path_inside_keeps_its_own_name(folder: Path) -> None:
    packed = pack(replace(ADA, files=(str(folder / "bots"),)), folder)
    assert (packed.bot.command, packed.bot.files) == (("python", "bots/ada.py"), ("bots",))
    roundabout = replace(ADA, command=("python", "./bots/../bots/ada.py"), files=("./bots/",))
    assert [file.path for file in pack(roundabout, folder).bundle.files] == ["bots/ada.py", "bots/run.sh"]


def test_a_command_whose_file_would_stay_behind_is_refused(folder: Path) -> None:
    for files in ((), ("bots/run.sh",)):
        with pytest.raises(ContestError, match=r"names 'bots/ada.py', which is not among its files"):
            pack(replace(ADA, files=files), folder)


def test_what_cannot_travel_is_refused_in_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ContestError, match=r"^bot ada: .*gone.py: No such file or directory: correct its files"):
        pack(replace(ADA, files=("bots", "gone.py")), folder)
    packed = pack(ADA, folder)
    monkeypatch.setattr(bot_files, "LARGEST", 10)
    with pytest.raises(ContestError, match="bot ada: its files are longer than"):
        packed.contents()
    (folder / "bots/ada.py").write_text("print(2)\n")
    with pytest.raises(ContestError, match=r"ada\.py: it was changed a moment ago"):
        packed.contents()


def test_a_bundle_that_is_not_whole_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    contents = packed.contents()
    del contents[packed.bundle.files[-1].sha256]
    with pytest.raises(KeyError):
        there.unpack(packed.bundle, contents)
    assert there.lacks(packed.bundle)
    assert list((tmp_path / "there").iterdir()) == []
