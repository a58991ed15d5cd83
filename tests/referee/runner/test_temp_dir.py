"""The folder for temporary files: announced before it is made, gone at the end, and a stranger's is left alone."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from bourre_referee.runner.temp_dir import sweep, temp_dir


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the note goes; temporary folders are made beside it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("bourre_referee.runner.temp_dir.socket_problem", lambda folder: "")
    return tmp_path / "note"


def test_what_a_run_makes_there_is_gone_at_its_end_and_later_files_go_where_they_went(note: Path) -> None:
    before = tempfile.gettempdir()

    def fail() -> None:
        with temp_dir(note) as made:
            assert (made.parent, stat.S_IMODE(made.stat().st_mode)) == (note.parent, 0o711)
            assert note.read_bytes() == os.fsencode(made)
            assert tempfile.gettempdir() == str(made)
            Path(tempfile.mkdtemp(), "file").touch()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert tempfile.gettempdir() == before
    assert list(note.parent.iterdir()) == []


def test_what_a_killed_run_left_is_removed_by_the_next(note: Path) -> None:
    left = temp_dir(note)
    made = left.__enter__()
    (made / "file").touch()
    tempfile.tempdir = str(note.parent)
    with temp_dir(note) as other:
        assert not made.exists()
        assert note.read_bytes() == os.fsencode(other)
    assert list(note.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "rights"), [("bourre-0123abcd", 0o755), ("bourre-x", 0o711), ("mine", 0o711), ("bourre-0123abcd0", 0o711)]
)
def test_a_folder_that_no_run_made_is_left_alone(note: Path, name: str, rights: int) -> None:
    other = note.parent / name
    other.mkdir()
    other.chmod(rights)
    note.write_bytes(os.fsencode(other))
    sweep(note)
    assert [path.name for path in note.parent.iterdir()] == [name]


def test_a_damaged_note_or_one_of_a_link_removes_nothing_but_itself(note: Path) -> None:
    place = note.parent / "bourre-01234567"
    (note.parent / "real").mkdir(mode=0o711)
    place.symlink_to(note.parent / "real")
    for text in (os.fsencode(place), b"/nowhere/bourre-01234567", b"bourre-\0", b""):
        note.write_bytes(text)
        sweep(note)
        assert {path.name for path in note.parent.iterdir()} == {"real", "bourre-01234567"}
    sweep(note)
