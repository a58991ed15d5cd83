"""Folders of ladders: how they begin, and what they refuse."""

import fcntl
from pathlib import Path

import pytest

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.new_ladder import new_ladder
from bourre_referee.ladder.log.events import BotJoined, LadderOpened, SeasonOpened
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, make_ladder, state_of, write_file


def test_a_new_ladder_keeps_its_terms_and_its_staff(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    assert ladder.file.read_text() == FILE + STAFF
    events = [logged.event for logged in ladder.open_log().read_new()]
    assert events[:2] == [LadderOpened(3, owners_apart=True), SeasonOpened(1)]
    assert [event.bot for event in events[2:] if isinstance(event, BotJoined)] == ["tight"]
    assert {logged.at for logged in ladder.open_log().read_new()} == {"2026-11-23T04:30:00Z"}
    assert ladder.settings().contest.folder == ladder.staff


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    file = write_file(tmp_path / "host")
    (tmp_path / "ladder").mkdir()
    new_ladder(tmp_path / "ladder", file)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ContestError, match=r"ladder: it already exists; remove it, or give a new folder$"):
        new_ladder(tmp_path / "ladder", file)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_wrong_file_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match="seats = 9"):
        make_ladder(tmp_path, FILE.replace("seats = 3", "seats = 9"))
    assert not (tmp_path / "ladder").exists()


def test_a_folder_without_a_ladder_is_refused(tmp_path: Path) -> None:
    for use in (LadderFolder(tmp_path).settings, LadderFolder(tmp_path).open_log):
        with pytest.raises(ContestError, match="there is no ladder in it: bourre ladder new"):
            use()


def test_terms_that_cannot_change_are_watched(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    ladder.check_terms(ladder.settings(), state_of(ladder).terms)
    ladder.file.write_text((FILE + STAFF).replace("seats = 3", "seats = 4"))
    with pytest.raises(ContestError, match="the ladder opened with seats = 3 and owners_apart = true: write"):
        ladder.check_terms(ladder.settings(), state_of(ladder).terms)


def test_an_epoch_has_two_run_folders(tmp_path: Path) -> None:
    ladder = LadderFolder(tmp_path)
    folders = [ladder.epoch(7, rated=rated).folder for rated in (True, False)]
    assert folders == [tmp_path / "epochs/0007", tmp_path / "epochs/0007-unrated"]


def test_who_serves_is_seen_by_its_lock(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    assert not ladder.is_served()
    with ladder.lock.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ladder.is_served()
    assert not ladder.is_served()
