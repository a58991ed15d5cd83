"""A run folder as the server keeps it: read when it changes, with rests between."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.cached_run import CachedRun, Unreadable
from tests.referee.web.serving import copied, take_back


def test_a_run_is_read_when_its_files_change_and_not_before(folder: Path) -> None:
    kept = CachedRun(folder, rest=0.0)
    first = kept.current()
    assert kept.current() is first
    take_back(folder, "m0004")
    second = kept.current()
    assert second.tag != first.tag
    assert len(second.data.matches) == 9


def test_after_reading_the_machine_is_left_to_the_bots(folder: Path) -> None:
    times = iter([0.0, 2.0, 9.9, 10.0, 10.0, 50.0, 109.9, 110.0, 110.0, 110.0])
    kept = CachedRun(folder, clock=lambda: next(times), rest=4.0)
    first = kept.current()  # takes 2 s, so it rests for 8
    take_back(folder, "m0004")
    assert kept.current() is first
    second = kept.current()  # takes 40 s, so it rests for 60, which is the most
    assert len(second.data.matches) == 9
    take_back(folder, "m0005")
    assert kept.current() is second
    assert len(kept.current().data.matches) == 8


def test_trouble_is_looked_at_again_though_no_file_changes(folder: Path, tmp_path: Path) -> None:
    kept = CachedRun(tmp_path / "none", rest=0.0)
    with pytest.raises(Unreadable, match="there is no run in it"):
        kept.current()
    copied(folder, tmp_path / "again").rename(tmp_path / "none")
    assert len(kept.current().data.matches) == 10


def test_a_state_has_one_look_at_what_was_taken_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_back(folder, "m0004")
    voids = RunFolder.open(folder).voids()
    looks = iter([voids, []])  # they might have changed in between
    monkeypatch.setattr(RunFolder, "voids", lambda _: next(looks))
    data = CachedRun(folder).current().data
    assert [void.reason for void in data.voids] == ["the power failed"]
    assert "the power failed" in "".join(data.void_lines)
    assert list(looks) == [[]]


def test_a_damaged_record_leaves_no_file_open(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE match = 'm0002'")
    kept = CachedRun(folder, rest=0.0)
    with pytest.raises(Unreadable, match="its record is damaged") as told:  # who keeps it keeps where it happened
        kept.analysis()
    assert told.value.__traceback__
    assert open_files(folder) == []


def open_files(folder: Path) -> list[Path]:
    """Those of this folder that this process has open."""
    links = list(Path("/proc/self/fd").iterdir())  # one of them was for this look, and is gone
    files = [link.readlink() for link in links if link.is_symlink()]
    return [file for file in files if file.is_relative_to(folder)]
