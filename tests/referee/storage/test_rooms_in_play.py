"""Which rooms are in play, told to spectators: only while their referee lives, and whatever stands in the file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.rooms_in_play import LONGEST, RoomsFile, SeatedRoom, read_rooms

FIRST = SeatedRoom("m0001", ("ada", "bob", "c\u00e9line"))
SECOND = SeatedRoom("m0002", ("bob", "ada", "dee"))
WRITER = """
import sys
from pathlib import Path
from bourre_referee.storage.run.rooms_in_play import RoomsFile, SeatedRoom
with RoomsFile(Path(sys.argv[1])) as told:
    told.tell([SeatedRoom("m0001", ("ada", "bob"))])
    print("told", flush=True)
    sys.stdin.read()
"""


def test_readers_see_what_was_told_last_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run.rooms"
    assert read_rooms(path) == ()
    with RoomsFile(path) as told:
        assert read_rooms(path) == ()
        for rooms in ([FIRST, SECOND], [SECOND], [], [FIRST]):
            told.tell(rooms)
            assert read_rooms(path) == tuple(rooms)
            assert read_rooms(path) == tuple(rooms), "looking changes nothing"
    assert not path.exists()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_referee_left_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "run.rooms"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "told\n"
        assert read_rooms(path) == (SeatedRoom("m0001", ("ada", "bob")),)
        os.kill(writer.pid, signal.SIGKILL)
    assert path.exists()
    assert read_rooms(path) == ()
    with RoomsFile(path) as told:
        told.tell([SECOND])
        assert read_rooms(path) == (SECOND,)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[1]", b'[{"room": "m1", "bots": 7}]', b"\xff", b"[]" + b" " * LONGEST + b"["]
)
def test_nonsense_in_the_file_shows_no_tables(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "run.rooms"
    with RoomsFile(path):
        path.write_bytes(text)
        assert read_rooms(path) == ()


def test_a_link_is_neither_followed_nor_written_through(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "run.rooms", tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    path.symlink_to(elsewhere)
    assert read_rooms(path) == ()
    path.with_name("run.rooms.new").symlink_to(elsewhere)
    with RoomsFile(path) as told:
        told.tell([FIRST])
        assert read_rooms(path) == (FIRST,)
    assert elsewhere.read_text() == "untouched"


def test_a_file_that_cannot_be_made_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"run\.rooms: cannot be written .*check its permissions"):
        RoomsFile(tmp_path / "missing" / "run.rooms").__enter__()
