"""What may go wrong while a ladder is served: nothing is lost, and the host is told what to do."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.open_epochs import OpenEpochs
from bourre_referee.ladder.host.pacing import AT_ONCE, EVERY, Arrivals, FailedRooms
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotLeft,
    EpochClosed,
    EpochOpened,
    RoomFinished,
    RoomPaired,
    RoomVoided,
)
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.verify.ladder_check import verify_epoch
from tests.referee import full_disk
from tests.referee.ladder.host import full_disk_ladder
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, Host, count, events, host
from tests.referee.ladder.host.ladder_folders import NOW, make_ladder, state_of, with_bots


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    return with_bots(make_ladder(tmp_path, SHORT_EPOCHS), tmp_path, "ada", "bob", "cy")


@pytest.fixture
def in_one_epoch(tmp_path: Path) -> LadderFolder:
    return with_bots(make_ladder(tmp_path), tmp_path, "ada", "bob", "cy", "dee", "eve", "fay", "gil")


@pytest.mark.parametrize("left", [4, pytest.param(200, marks=pytest.mark.long)])
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
        for _ in range(5):
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
        serving.steps(7)
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
    with pytest.raises(ContestError, match=r"ladder.toml:5: \[table\] deals = 0: must be 1 or more"), host(ladder):
        pass
    assert len(events(ladder)) == before
    ladder.file.write_text(good)
    with host(ladder) as serving:
        serving.steps(3)
    assert len(events(ladder)) > before


def kill_at(monkeypatch: pytest.MonkeyPatch, step: str, serving: Host) -> None:
    """Serves until a step of an epoch's end is done, and no further."""
    done = getattr(OpenEpochs, step)

    def kill(epochs: OpenEpochs, *words: object) -> NoReturn:
        done(epochs, *words)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OpenEpochs, step, kill)
        with pytest.raises(KeyboardInterrupt):
            serving.steps(10)


@pytest.mark.parametrize(("hours", "fails"), [(0, False), (25, True)])
def test_a_host_killed_between_the_end_of_an_epoch_and_its_line_in_the_log_goes_on(
    ladder: LadderFolder, monkeypatch: pytest.MonkeyPatch, hours: int, fails: bool
) -> None:
    """Its last room is over in the same step, and it ends by its rooms or its hours; the next host's clock is new."""
    with host(ladder) as serving:
        serving.steps(1 if hours else 3)
        serving.rooms.fails = fails
        serving.steps(1)
        serving.now += timedelta(hours=hours)
        kill_at(monkeypatch, "close", serving)
    assert (count(ladder, EpochOpened), count(ladder, EpochClosed)) == (1, 0)
    with host(ladder) as serving:
        serving.steps(1)
        assert (count(ladder, EpochOpened), count(ladder, EpochClosed)) == (2, 1)
        serving.steps(5)
    assert count(ladder, RoomVoided) == fails
    rooms = [event.room for event in events(ladder) if isinstance(event, RoomFinished | RoomVoided)]
    assert sorted(rooms) == list(range(1, len(rooms) + 1))
    assert verify_epoch(ladder.path, 1, jobs=1).rooms == (2 if hours else 4)


def test_a_room_given_up_by_a_host_that_was_killed_before_it_could_log_that_is_not_played_again(
    ladder: LadderFolder,
) -> None:
    with host(ladder) as serving:
        serving.rooms.away = "bob"
        while not any("bob.1" in match.line_up for room in serving.rooms.seen for match in room.matches):
            serving.steps(1)
    (number,) = state_of(ladder).rooms
    with host(ladder) as serving:
        serving.steps(8)
    voided = [event for event in events(ladder) if isinstance(event, RoomVoided)]
    assert voided == [RoomVoided(number, "the host was stopped before it could log why")]
    assert verify_epoch(ladder.path, 1, jobs=1).rooms == 4


def serve_seconds(serving: Host, seconds: int) -> None:
    """Serves for this long, by the host's clock."""
    for _ in range(seconds):
        serving.now += timedelta(seconds=1)
        serving.steps(1)


def test_a_host_that_fails_every_room_ends_ever_fewer_until_it_is_mended(
    in_one_epoch: LadderFolder,
) -> None:
    with host(in_one_epoch) as serving:
        serving.rooms.fails = True
        serve_seconds(serving, 10)
        assert count(in_one_epoch, RoomVoided) == 6
        assert serving.told[:3] == [*["room 1 is played again: no memory"] * 2, "room 1 is void: no memory"]
        serving.rooms.fails = False
        serve_seconds(serving, 12)
        assert count(in_one_epoch, RoomFinished) >= 2
        voided = count(in_one_epoch, RoomVoided)
        serving.rooms.fails = True
        serve_seconds(serving, 3)
        assert count(in_one_epoch, RoomVoided) > voided, "the first that fails again ends at once"


def test_a_bot_with_which_every_room_fails_stops_no_other(in_one_epoch: LadderFolder) -> None:
    with host(in_one_epoch) as serving:
        serving.rooms.broken = "ada"
        serve_seconds(serving, 24)
    assert count(in_one_epoch, RoomFinished) >= 12


def seconds_until_over(failed: FailedRooms, now: datetime) -> int:
    """How long the rooms wait that are held."""
    return next(seconds for seconds in range(100) if list(failed.over(now + timedelta(seconds=seconds))))


def test_rooms_end_after_pauses_that_double_until_one_is_played() -> None:
    told: list[str] = []
    failed, now, pauses = FailedRooms(told.append), NOW, []
    for room in range(9):
        failed.hold(f"room{room}", "no memory", now)
        pauses.append(seconds_until_over(failed, now))
        now += timedelta(seconds=pauses[-1])
    assert pauses == [0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert told == ["rooms fail one after the other, so pauses grow up to 60 s until one succeeds"]
    failed.forgive()
    failed.hold("room9", "no memory", now)
    assert list(failed.over(now)) == [("room9", "no memory")]


def test_rooms_that_fail_in_a_pause_end_with_it_and_all_but_one_take_a_place() -> None:
    failed = FailedRooms(lambda text: None)
    failed.hold("room1", "no memory", NOW)
    assert (list(failed.over(NOW)), failed.slots) == ([("room1", "no memory")], 0)
    for room in (2, 3, 4):
        failed.hold(f"room{room}", "no disk", NOW)
    assert (list(failed.over(NOW)), failed.slots) == ([], 2)
    back = NOW - timedelta(seconds=1)
    assert sorted(failed.over(back)) == [(f"room{room}", "no disk") for room in (2, 3, 4)], "the clock was set back"
    failed.hold("room5", "no disk", back)
    failed.forgive()
    assert list(failed.over(back)) == [("room5", "no disk")], "a room was played"


DAY = timedelta(days=1)


@pytest.mark.parametrize("pause", [timedelta(seconds=0.6), timedelta(minutes=1), timedelta(minutes=5)])
def test_a_bot_arrives_at_most_so_often_a_day_however_often_it_comes(pause: timedelta) -> None:
    arrivals, days = Arrivals(), 2
    seen = [step for step in range(days * DAY // pause) if arrivals.admit("flap", NOW + step * pause)]
    for first in seen:
        assert sum(first <= step < first + DAY // pause for step in seen) <= AT_ONCE + DAY // EVERY


def test_a_bot_that_comes_now_and_then_is_there_at_once() -> None:
    arrivals = Arrivals()
    assert all(arrivals.admit("far", NOW + hour * timedelta(hours=1)) for hour in range(100))
    assert all(arrivals.admit(f"bot {number}", NOW) for number in range(100))
    assert sum(arrivals.admit("far", NOW + timedelta(days=9)) for _ in range(30)) == AT_ONCE, "no time is saved up"


def test_a_bot_that_flaps_is_logged_a_few_times_and_plays_again_later(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    add_remote(ladder, Newcomer("flap"), lambda: NOW)
    with host(ladder) as serving:
        for _ in range(AT_ONCE + 2):
            for here in (frozenset({"flap"}), frozenset[str]()):
                serving.rooms.come = [RemotePresence((), here)]
                serving.steps(1)
        lines = [event for event in events(ladder) if event in (BotArrived("flap"), BotLeft("flap"))]
        assert len(lines) == 2 * AT_ONCE
        serving.rooms.come = [RemotePresence((), frozenset({"flap"}))]
        serving.steps(2)
        assert not serving.boards.state.bots["flap"].present
        serving.now += EVERY
        serving.steps(1)
        assert serving.boards.state.bots["flap"].present


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
