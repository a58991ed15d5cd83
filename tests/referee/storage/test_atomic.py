"""A file or a folder appears whole, with its permissions, or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic


def test_a_file_is_replaced_as_a_whole_and_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a longer text than the next one")
    (tmp_path / "file.new").write_text("half of")
    atomic.write(path, "é\n", 0o600)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == ("é\n".encode(), 0o600)
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(ContestError, match=r"file: cannot be written \(.*\): check its permissions and the free disk"):
        atomic.write(tmp_path / "file", "text")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_new_folder_appears_at_the_end_and_leaves_another_one_alone(tmp_path: Path) -> None:
    out = tmp_path / "a" / "out"

    def make(fails: bool) -> None:
        with atomic.new_folder(out, " here") as folder:
            (folder / "x").touch()
            assert not out.exists()
            if fails:
                raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        make(fails=True)
    assert [*out.parent.iterdir()] == []
    make(fails=False)
    assert [*out.parent.rglob("*")] == [out, out / "x"]
    with pytest.raises(ContestError, match=r"out: it already exists; remove it, or give a new folder here$"):
        make(fails=False)
