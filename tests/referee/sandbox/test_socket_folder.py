"""The folder for temporary files: where no socket can be is told first, and what a run leaves there is removed."""

import json
import os
import stat
import tempfile
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.temp_dir import sweep, temp_dir
from bourre_referee.sandbox.socket_folder import LONGEST_PATH, socket_problem
from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import called, called_in
from tests.referee.in_process import run_in_process

LONG = "/tmp/" + "x" * 132
TOLD = ".\nhint: set TMPDIR to another, such as /tmp"


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        (LONG, "its path has 137 bytes"),
        ("/tmp/" + "é" * 40, "its path has 85 bytes"),
        ("/tmp/a%41", "its path has '%' in it"),
        ("/tmp/a?", "its path has '?' in it"),
        ("/tmp/a,b", "its path has ',' in it"),
        ("/tmp/a#", "its path has '#' in it"),
        ("/tmp/\udcff", "its path has '\\udcff' in it"),
    ],
)
def test_why_no_socket_can_be_there_is_told(folder: str, why: str) -> None:
    assert socket_problem(Path(folder)) == (
        f"{folder}: bots' sockets cannot be in this temporary folder, because {why}{TOLD}"
    )


@pytest.mark.parametrize(
    "folder", ["/tmp", "/tmp/a b", "/tmp/é", "/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T"]
)
def test_common_folders_are_fine(folder: str) -> None:
    assert socket_problem(Path(folder)) == ""


def test_the_longest_folder_holds_the_longest_socket() -> None:
    fits = next(length for length in range(LONGEST_PATH, 0, -1) if not socket_problem(Path("/" + "x" * (length - 1))))
    with tempfile.TemporaryDirectory(prefix="bourre-") as made:
        name = Path(made).name
    assert fits + len(os.fsencode(f"/{name}/{bytes(8).hex()}")) == LONGEST_PATH


def test_a_run_leaves_no_note_of_a_folder_that_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", LONG)
    with pytest.raises(ContestError, match="sockets"), temp_dir(tmp_path / "note"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_note_of_a_folder_holds_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "é"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr("bourre_referee.runner.temp_dir.socket_problem", lambda folder: "")
    with temp_dir(tmp_path / "note") as made:
        assert os.fsencode(made) == (tmp_path / "note").read_bytes()
    assert list(place.iterdir()) == []


@pytest.fixture
def long_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, with a path that leaves no room for a socket's."""
    place = tmp_path / ("x" * 120)
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.mark.parametrize(
    "words",
    [
        ("check", "tight", "--deals", 1),
        ("play", "--terminal", "--no-browser"),
        ("practice", "tight", "--against", "python tight.py"),
        ("compare", "tight", "loose", "--deals", 1),
    ],
)
def test_commands_that_start_bots_tell_it_first(long_temporary: Path, words: tuple[object, ...]) -> None:
    Path(long_temporary.parent, "tight.py").touch()
    done = called_in(long_temporary.parent, *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bourre: {long_temporary}")
    assert done.err.count("sockets") == 1
    assert done.err.endswith(f"{TOLD}\n")


def test_a_run_is_not_begun_afresh_where_it_could_not_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long_temporary: Path
) -> None:
    with monkeypatch.context() as usual:
        usual.setattr(tempfile, "tempdir", None)
        digest = run_in_process(contests.small_contest(tmp_path), tmp_path / "run", contests.played).manifest.digest
    done = called_in(tmp_path, "run", "contest.toml", "--fresh", "--out", "run")
    assert (done.code, done.err.count("sockets")) == (2, 1)
    assert Run.open(tmp_path / "run").manifest.digest == digest


def test_the_doctor_finds_it(long_temporary: Path) -> None:
    done = called("doctor", "--json")
    (found,) = (check for check in json.loads(done.out)["checks"] if check["check"] == "sockets")
    assert (done.code, found["needed"], found["mend"]) == (1, True, "set TMPDIR to another, such as /tmp")


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
