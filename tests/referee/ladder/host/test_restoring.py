"""A ladder that was restored from a backup plays no room under a seed that was published meanwhile."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bourre_referee.ladder.host.administration import abandon_epochs
from bourre_referee.ladder.host.backup import back_up
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import (
    EpochAbandoned,
    EpochClosed,
    LadderError,
    RoomFinished,
    RoomPaired,
    RoomVoided,
)
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.folder_location import hold_lock
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.epoch_text import lines
from bourre_referee.verify.ladder_check import verify_epoch
from tests.postgres_server import PostgresServer
from tests.referee.command import Bourre
from tests.referee.ladder.host.database_ladders import make_in_database
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, count, events, host
from tests.referee.ladder.host.ladder_folders import NOW, append, make_ladder, state_of, with_bots


def ladder_head(ladder: LadderFolder) -> str:
    log = ladder.open_log()
    log.read()
    return log.head


def play_on_after(ladder: LadderFolder) -> None:
    """Abandons the open epoch, and checks that no room of it is called any more, and that all of it verifies."""
    paired, open_rooms = count(ladder, RoomPaired), len(state_of(ladder).rooms)
    assert abandon_epochs(ladder, lambda: NOW) == [1]
    assert count(ladder, RoomVoided) == open_rooms
    assert abandon_epochs(ladder, lambda: NOW) == []
    with pytest.raises(LadderError, match="no epoch was open"):
        append(ladder, RoomPaired(paired + 1, ("ada", "bob", "cy"), rated=True))
    with host(ladder) as serving:
        serving.steps(8)
    first = state_of(ladder).seasons.epochs[0]
    assert (first.rooms, first.closed is not None) == (paired, True)
    assert count(ladder, EpochAbandoned) == 1
    assert count(ladder, RoomPaired) > paired
    abandoned, later = verify_epoch(ladder.path, 1, jobs=1), verify_epoch(ladder.path, 2, jobs=1)
    assert (abandoned.rooms, abandoned.abandoned) == (paired, True)
    assert (later.paired_again, later.abandoned) == (True, False)
    assert "\nabandoned  the host restored a backup: " in "\n".join(lines(abandoned))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`ladder`, a backup with one room in play, whose epoch was closed since, and `now`, what became of it."""
    place = tmp_path_factory.mktemp("history")
    ladder = with_bots(make_ladder(place, SHORT_EPOCHS), place, "ada", "bob", "cy")
    with host(ladder) as serving:
        serving.steps(2)
        serving.rooms.stuck = True
        serving.steps(1)
        made = back_up(ladder, place / "backup")
        assert (made.rooms, made.head) == (1, ladder_head(ladder))
    with host(ladder) as serving:
        serving.steps(10)
    assert count(ladder, EpochClosed) >= 1
    ladder.path.rename(place / "now")
    (place / "backup").rename(ladder.path)
    return place


@pytest.fixture
def restored(history: Path, tmp_path: Path) -> LadderFolder:
    return LadderFolder(Path(shutil.copytree(history, tmp_path / "history"), "ladder"))


def test_what_came_after_a_backup_is_named(restored: LadderFolder, bourre: Bourre) -> None:
    now = restored.path.with_name("now")
    missing = events(LadderFolder(now))[len(events(restored)) :]
    said = bourre("ladder", "restore", restored.path, "--later", now / "ladder.jsonl")
    assert len(said.out.splitlines()) == len(missing)
    assert f"room {next(event.room for event in missing if isinstance(event, RoomFinished))}" in said.out
    assert said.err == f"bourre: The backup lacks these {len(missing)} events.\n"
    none = bourre("ladder", "restore", now, "--later", now / "ladder.jsonl")
    assert (none.out, none.err) == ("", "bourre: The backup lacks nothing of this log.\n")
    behind = bourre("ladder", "restore", now, "--later", restored.path / "ladder.jsonl")
    assert "does not continue the log" in behind.err


def test_a_backup_goes_to_a_new_folder_elsewhere(restored: LadderFolder, bourre: Bourre, tmp_path: Path) -> None:
    for place in (restored.path, restored.path / "inside"):
        assert "already exists, or is in the ladder" in bourre("ladder", "backup", restored.path, place).err
    (tmp_path / "file").touch()
    no_folder = bourre("ladder", "backup", restored.path, tmp_path / "file" / "copy").err
    assert f"to {tmp_path}/file/copy: Not a directory.\nhint: see that there is space" in no_folder
    said = bourre("ladder", "backup", restored.path, tmp_path / "copy").out
    assert said.endswith(f", 1 rooms in play, head {ladder_head(restored)}\n")
    assert events(LadderFolder(tmp_path / "copy")) == events(restored)


def test_a_restored_ladder_goes_on_with_new_seeds(restored: LadderFolder) -> None:
    assert len(state_of(restored).rooms) == 1
    play_on_after(restored)


def test_a_room_that_was_stored_or_given_up_but_not_logged_ends_so(tmp_path: Path) -> None:
    ladder = with_bots(make_ladder(tmp_path, SHORT_EPOCHS), tmp_path, "ada", "bob", "cy")
    with host(ladder) as serving:
        serving.rooms.free, serving.rooms.away = 2, "bob"
        serving.steps(1)
    assert len(state_of(ladder).rooms) == 2
    assert abandon_epochs(ladder, lambda: NOW) == [1]
    void = RoomVoided(2, "the ladder was restored from a backup")
    assert events(ladder)[-3:] == [RoomFinished(1, games=1), void, EpochAbandoned(1)]
    assert Run.open(ladder.epoch(1, rated=False)).voids() == []


@pytest.mark.long
@pytest.mark.xdist_group("processes")
def test_a_restored_ladder_in_a_database_does_too(postgres: PostgresServer, tmp_path: Path) -> None:
    ladder = with_bots(make_in_database(tmp_path, SHORT_EPOCHS, postgres.url), tmp_path, "ada", "bob", "cy")
    with host(ladder) as serving:
        serving.steps(2)
        serving.rooms.stuck = True
        serving.steps(1)
    play_on_after(ladder)


def test_the_head_that_was_published_tells_that_a_log_is_behind(restored: LadderFolder, bourre: Bourre) -> None:
    folder, status = str(restored.path), restored.path.with_name("status.json")
    status.write_text(bourre("ladder", "status", str(restored.path.with_name("now")), "--json").out)
    head = json.loads(status.read_text())["head"]
    for given in (str(status), head):
        refused = bourre("ladder", "start", folder, "--published", given)
        assert (refused.code, f"lacks line {head}" in refused.err) == (2, True)
        assert f"bourre ladder restore {folder}" in refused.err
    assert bourre("ladder", "restore", folder).out == "epoch 1 is abandoned. `bourre ladder start` opens another one\n"
    assert bourre("ladder", "restore", folder).out == "no epoch is open, so none was abandoned\n"
    assert events(restored)[-1] == EpochAbandoned(1)


def test_nobody_abandons_what_another_process_plays(restored: LadderFolder) -> None:
    with hold_lock(restored.lock), pytest.raises(ContestError, match="Another process serves the ladder"):
        abandon_epochs(restored)


@pytest.mark.parametrize("lost", ["0000*", "000[2-9]*"])
def test_a_log_that_is_older_than_its_epochs_is_not_played_on(restored: LadderFolder, lost: str) -> None:
    """Only the log was restored: the epoch that it has open is closed, so its seed is known."""
    epochs = restored.path.with_name("now") / "epochs"
    shutil.rmtree(restored.epochs)
    shutil.copytree(epochs, restored.epochs, ignore=shutil.ignore_patterns(lost))
    before = count(restored, RoomPaired)
    with (
        pytest.raises(ContestError, match=r"its seed is revealed, .*\n.*bourre ladder restore"),
        host(restored) as serving,
    ):
        serving.steps(3)
    assert count(restored, RoomPaired) == before
