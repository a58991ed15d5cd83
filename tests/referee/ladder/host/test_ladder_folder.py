"""Folders of ladders: how they begin, and what they refuse."""

import fcntl
from pathlib import Path

import pytest

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import _door_spec
from bourre_referee.ladder.host.ladder_storage import FolderStorage
from bourre_referee.ladder.log.events import BotJoined, LadderOpened, SeasonOpened
from bourre_referee.model.door_spec import DoorSpec
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock
from bourre_referee.storage.files.patience import AT_ONCE
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
    for old, new in (("seats = 3", "seats = 4"), ('"class"', '"class"\nowners_apart = false')):
        ladder.file.write_text((FILE + STAFF).replace(old, new))
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
    with ladder.leading(AT_ONCE):
        assert ladder.is_served()
        with pytest.raises(ContestError, match="another process serves this ladder: stop it first"):
            ladder.leading(AT_ONCE).__enter__()
    assert not ladder.is_served()


def test_the_door_of_a_ladder_has_its_quota_and_its_tokens(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f"{FILE}[clock]\ndecision_ms = 7\n[quotas]\nconnections = 9\n")
    contest = ladder.settings().contest
    expected = DoorSpec("class", (), Clock(decision_ms=7), contest.listen, ladder.tokens, most_bots=9, versioned=True)
    assert _door_spec(ladder, ladder.settings()) == expected


def test_strangers_do_not_see_where_a_ladder_lies(tmp_path: Path) -> None:
    assert LadderFolder(tmp_path).without_place(f"{tmp_path}/ladder.toml: no") == f"{tmp_path.name}/ladder.toml: no"
    in_database = LadderFolder(tmp_path, PlacedElsewhere(tmp_path))
    assert in_database.without_place("postgresql://elsewhere#class: no") == "the database: no"


class PlacedElsewhere(FolderStorage):
    """A storage that messages call by an address."""

    def __str__(self) -> str:
        return "postgresql://elsewhere#class"
