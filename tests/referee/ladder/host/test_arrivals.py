"""A bot that comes and goes again and again: the log grows by a bounded number of lines a day."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.pacing import AT_ONCE, EVERY, Arrivals
from bourre_referee.ladder.log.events import BotArrived, BotLeft
from bourre_referee.runner.room_reports import Attendance
from tests.referee.ladder.host.hosts import events, host
from tests.referee.ladder.host.ladder_folders import NOW, make_ladder

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
                serving.rooms.come = [Attendance((), here)]
                serving.steps(1)
        lines = [event for event in events(ladder) if event in (BotArrived("flap"), BotLeft("flap"))]
        assert len(lines) == 2 * AT_ONCE
        serving.rooms.come = [Attendance((), frozenset({"flap"}))]
        serving.steps(2)
        assert not serving.boards.state.bots["flap"].present
        serving.now += EVERY
        serving.steps(1)
        assert serving.boards.state.bots["flap"].present
