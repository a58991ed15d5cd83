"""A cached run folder: read when its files change, with rests between reads."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.cached_run import CachedRun, Unreadable
from tests.referee.web.serving import copy_run, void_match


def test_a_run_is_read_again_only_when_its_files_change(folder: Path) -> None:
    cached = CachedRun(folder, rest=0.0)
    first = cached.current()
    assert cached.current() is first
    void_match(folder, "m0004")
    second = cached.current()
    assert second.tag != first.tag
    assert len(second.data.matches) == 9


def test_after_a_read_there_is_a_rest(folder: Path) -> None:
    times = iter([0.0, 2.0, 9.9, 10.0, 10.0, 50.0, 109.9, 110.0, 110.0, 110.0])
    cached = CachedRun(folder, clock=lambda: next(times), rest=4.0)
    first = cached.current()  # takes 2 s, so the rest is 8 s
    void_match(folder, "m0004")
    assert cached.current() is first
    second = cached.current()  # takes 40 s, so the rest is the longest, 60 s
    assert len(second.data.matches) == 9
    void_match(folder, "m0005")
    assert cached.current() is second
    assert len(cached.current().data.matches) == 8


def test_an_unreadable_run_is_tried_again_though_no_file_changed(folder: Path, tmp_path: Path) -> None:
    cached = CachedRun(tmp_path / "none", rest=0.0)
    with pytest.raises(Unreadable, match="there is no run in it"):
        cached.current()
    copy_run(folder, tmp_path / "again").rename(tmp_path / "none")
    assert len(cached.current().data.matches) == 10


def test_a_state_reads_the_voids_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    void_match(folder, "m0004")
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
    cached = CachedRun(folder, rest=0.0)
    with pytest.raises(Unreadable, match="its record is damaged") as raised:  # the traceback keeps frames alive
        cached.analysis()
    assert raised.value.__traceback__
    assert open_files(folder) == []


def open_files(folder: Path) -> list[Path]:
    """Return the files of this folder that this process has open."""
    links = list(Path("/proc/self/fd").iterdir())  # one of them was for this listing, and is gone
    files = [link.readlink() for link in links if link.is_symlink()]
    return [file for file in files if file.is_relative_to(folder)]
