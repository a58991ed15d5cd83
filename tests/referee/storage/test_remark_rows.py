"""What bots said is stored with their match, leaves with it, and is never part of a record."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre.remarks import Usage
from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.model.seat_remarks import Note
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from tests.referee import contests, talking_rooms
from tests.referee.in_process import rooms_in_process, run_in_process
from tests.referee.older_runs import make_older
from tests.referee.tampering import Tamperer


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    return run_in_process(contests.small_contest(place / "contest"), place / "run", talking_rooms.played).path


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "run"))


def test_what_was_said_is_read_back(folder: Path) -> None:
    there = Run.open(folder)
    polite, hostile, silent = there.remarks("m0002")
    assert polite.notes == (Note(1, None, 1, talking_rooms.PLAIN), Note(2, None, 2, talking_rooms.PLAIN))
    assert (polite.usage, polite.dropped) == (Usage(1000, 50, 2, 2_500_000), 3)
    assert (hostile.notes[0].text, hostile.usage) == (talking_rooms.HOSTILE, None)
    assert not silent
    assert [match.remarks for match in there.stored_matches()] == [there.remarks(match) for match in there.matches()]
    assert there.remarks("m9999") == ()


def test_what_was_said_changes_no_digest(folder: Path, tmp_path: Path) -> None:
    silent = run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "silent")
    aloud = Run.open(folder)
    assert (aloud.manifest.digest, aloud.manifest.chain) == (silent.manifest.digest, silent.manifest.chain)
    assert aloud.fact_hashes() == silent.fact_hashes()
    assert FolderLocation(folder).standings.read_text() == FolderLocation(tmp_path / "silent").standings.read_text()
    assert silent.usage() == {}


def test_usage_is_added_up_by_bot(folder: Path) -> None:
    there = Run.open(folder)
    first = [match.seats[0].bot for match in there.stored_matches()]
    one = Usage(1000, 50, 2, 2_500_000)
    for bot, usage in there.usage().items():
        assert usage == sum([one] * first.count(bot), Usage())
    assert set(there.usage()) == set(first)


def test_a_void_match_leaves_nothing_that_was_said(folder: Path) -> None:
    void(folder, "m0003", "smoke", datetime(2026, 1, 2, tzinfo=UTC))
    assert Tamperer(folder).execute("SELECT number FROM remark WHERE number = 3") == []
    assert Run.open(folder).remarks("m0003") == ()
    assert Tamperer(folder).execute("SELECT count(*) FROM remark") == [(18,)]


def test_a_run_of_an_older_version_is_read_as_silent_and_not_changed(folder: Path) -> None:
    make_older(folder, 2)
    before = FolderLocation(folder).database.read_bytes()
    there = Run.open(folder)
    assert len(there.results()) == 10
    assert (there.usage(), there.remarks("m0001")) == ({}, ())
    assert [match.remarks for match in there.stored_matches()] == [()] * 10
    assert FolderLocation(folder).database.read_bytes() == before


def test_a_run_of_an_older_version_can_be_continued(folder: Path, tmp_path: Path) -> None:
    whole = Run.open(folder).manifest.digest
    make_older(folder, 2)
    void(folder, "m0003", "smoke", datetime(2026, 1, 2, tzinfo=UTC))
    with rooms_in_process(talking_rooms.played):
        there = run(contests.small_contest(tmp_path / "contest"), folder)
    assert there.manifest.digest == whole
    assert there.remarks("m0003")
    assert there.remarks("m0002") == ()
    assert Tamperer(folder).execute("PRAGMA user_version") == [(5,)]


def test_a_run_of_a_newer_version_is_refused_in_words(folder: Path) -> None:
    Tamperer(folder).execute("PRAGMA user_version = 6")
    with pytest.raises(StoreError, match=r"another version .* \(database version 6, this one reads 2 to 5\): use that"):
        Run.open(folder).results()


NOTES = [
    b"no zlib",
    zlib.compress(b"[[1, null, 1]]"),
    zlib.compress(b'[["1", null, 1, "text"]]'),
    zlib.compress(b'[[1, "2", 1, "text"]]'),
    zlib.compress(b'["four"]'),
    zlib.compress(b"[" * 100_000),
    zlib.compress(b" " * 2**25),
    zlib.compress(b"[]")[:-1],
]


@pytest.mark.parametrize("notes", NOTES)
def test_notes_that_no_run_stores_are_refused_in_words(folder: Path, notes: bytes) -> None:
    with closing(sqlite3.connect(FolderLocation(folder).database)) as connection, connection:
        connection.execute("UPDATE remark SET notes = ? WHERE number = 2 AND seat = 0", [notes])
    there = Run.open(folder)
    with pytest.raises(DamagedValue, match=r"match m0002: the notes of seat 0 are damaged \("):
        there.remarks("m0002")
    assert there.remarks("m0001")


def test_stored_text_is_cut_and_made_whole_like_a_bots(folder: Path) -> None:
    notes = zlib.compress(json.dumps([[1, None, 1, "\ud800" + "x" * 5000]]).encode())
    with closing(sqlite3.connect(FolderLocation(folder).database)) as connection, connection:
        connection.execute("UPDATE remark SET notes = ? WHERE number = 2 AND seat = 0", [notes])
    assert Run.open(folder).remarks("m0002")[0].notes[0].text == "?" + "x" * 2047


@pytest.mark.parametrize("calls", ["many", -1, 1.5])
def test_usage_that_no_run_stores_is_refused_in_words(folder: Path, calls: object) -> None:
    Tamperer(folder).execute("UPDATE remark SET calls = ? WHERE number = 2", calls)
    with pytest.raises(DamagedValue, match="match m0002: what the bot of seat 0 used must be whole numbers from 0 up"):
        Run.open(folder).remarks("m0002")
