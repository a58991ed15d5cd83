"""What may go wrong while a ladder is served: nothing is lost, and the host is told what to do."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import EpochClosed, RoomFinished, RoomPaired, RoomVoided
from bourre_referee.model.errors import ContestError
from bourre_referee.verify.ladder_check import verify_epoch
from tests.referee import full_disk
from tests.referee.ladder.host import full_disk_ladder
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, Host, count, events, host
from tests.referee.ladder.host.ladder_folders import add_bot, make_ladder


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    ladder = make_ladder(tmp_path, SHORT_EPOCHS)
    for bot in ("ada", "bob", "cy"):
        add_bot(ladder, tmp_path / bot, Newcomer(bot))
    return ladder


@pytest.mark.parametrize("left", [4, 40, 200])
def test_a_full_disk_stops_the_host_and_loses_nothing(tmp_path: Path, left: int) -> None:
    made = full_disk.start(tmp_path, left, full_disk_ladder.__name__)
    assert made.returncode == 0, made.stderr
    found = json.loads(made.stdout)
    assert found["said"].startswith(f"{tmp_path}/place/ladder/"), found["said"]
    assert "disk" in found["said"]
    assert found["rooms"] == sorted(set(found["rooms"]))
    assert found["verified"] == [4] * len(found["verified"])
    assert len(found["verified"]) >= 2


@pytest.mark.parametrize("jump", [timedelta(hours=-30), timedelta(hours=30)], ids=["back", "ahead"])
def test_a_clock_that_jumps_ends_an_epoch_at_most_and_harms_no_room(ladder: LadderFolder, jump: timedelta) -> None:
    with host(ladder) as serving:
        for _ in range(6):
            serving.steps(2)
            serving.now += jump
    assert count(ladder, EpochClosed) >= 2
    assert count(ladder, RoomFinished) >= count(ladder, RoomPaired) - 1
    for epoch in range(1, count(ladder, EpochClosed) + 1):
        assert 1 <= verify_epoch(ladder.path, epoch, jobs=1).rooms <= 4


def test_an_edit_of_the_ladder_file_counts_from_the_next_serve(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(2)
        ladder.file.write_text(ladder.file.read_text().replace("deals = 5", "deals = 2"))
        serving.steps(1)
        assert {match.deals for room in serving.rooms.seen for match in room.matches} == {5}
    with host(ladder) as serving:
        serving.steps(10)
        deals = [match.deals for room in serving.rooms.seen for match in room.matches]
    assert set(deals) == {5, 2}, "the open epoch keeps its terms"
    assert deals == sorted(deals, reverse=True)
    for epoch in range(1, count(ladder, EpochClosed) + 1):
        assert verify_epoch(ladder.path, epoch, jobs=1).rooms == 4


def test_a_wrong_edit_is_refused_with_its_line_by_the_next_serve(ladder: LadderFolder) -> None:
    good = ladder.file.read_text()
    with host(ladder) as serving:
        ladder.file.write_text(good.replace("deals = 5", "deals = 0"))
        serving.steps(3)
    before = len(events(ladder))
    with pytest.raises(ContestError, match=r"ladder.toml:5: \[table\] deals = 0: write 1 or more"), host(ladder):
        pass
    assert len(events(ladder)) == before
    ladder.file.write_text(good)
    with host(ladder) as serving:
        serving.steps(3)
    assert len(events(ladder)) > before


def test_a_log_that_lost_a_line_is_refused(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(3)
    lines = ladder.log.read_bytes().splitlines(keepends=True)
    ladder.log.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    with pytest.raises(ContestError, match="line 6 does not follow the line before it"), host(ladder):
        pass
    ladder.log.write_bytes(b"".join(lines))
    with host(ladder) as serving:
        serving.steps(3)


def serve_seconds(serving: Host, seconds: int) -> None:
    """Serves for this long, by the host's clock."""
    for _ in range(seconds):
        serving.now += timedelta(seconds=1)
        serving.steps(1)


def test_a_host_that_fails_every_room_ends_ever_fewer_and_plays_on_once_it_is_mended(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.rooms.fails = True
        serve_seconds(serving, 200)
        assert 8 <= count(ladder, RoomVoided) <= 18  # two a pause
        assert sum("rooms fail one after the other" in text for text in serving.told) == 1
        serving.rooms.fails = False
        serve_seconds(serving, 70)
        assert count(ladder, RoomFinished) >= 5


def test_a_bot_with_which_every_room_fails_stops_no_other(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, SHORT_EPOCHS)
    for bot in ("ada", "bob", "cy", "dee", "eve", "fay", "gil"):
        add_bot(ladder, tmp_path / bot, Newcomer(bot))
    with host(ladder) as serving:
        serving.rooms.broken = "ada"
        serve_seconds(serving, 24)
    assert count(ladder, RoomFinished) >= 12
