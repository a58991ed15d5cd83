"""Who leads a contest while it is played."""

from __future__ import annotations

import pytest

from bourre_referee.ratings.batch import VERSION, rate_outcomes
from bourre_referee.ratings.belief import NO_ANCHORS
from bourre_referee.runner import live_leaders
from bourre_referee.runner.live_leaders import SHARE, LiveLeaders
from tests.referee.matches import BOTS, match


class Clock:
    """A clock that moves while ratings are computed."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock by which each rating takes a second."""
    clock = Clock()

    def slowly(*words: object, **others: object) -> object:
        clock.now += 1
        return rate_outcomes(*words, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(live_leaders, "rate_outcomes", slowly)
    return clock


def test_nobody_leads_before_the_first_match() -> None:
    assert LiveLeaders(BOTS, NO_ANCHORS, VERSION).first(3, ()) == ()


def test_leaders_come_by_score_and_neither_absent_nor_waiting_bots_lead() -> None:
    live = LiveLeaders(BOTS, NO_ANCHORS, VERSION)
    live.add(match({"dee": 2, "bob": 0, "ada": -2}))
    assert live.first(9, ()) == ("dee", "bob", "ada")
    assert live.first(1, {"dee"}) == ("bob",)


def test_rating_takes_a_small_share_of_the_time(clock: Clock) -> None:
    live = LiveLeaders(BOTS, NO_ANCHORS, VERSION, clock)
    live.add(match({"ada": 1, "bob": -1}, name="m0001"))
    assert live.first(2, ()) == ("ada", "bob")
    for number in range(2, 9):
        live.add(match({"ada": -1, "bob": 1}, name=f"m000{number}"))
    clock.now += SHARE - 1
    assert live.first(2, ()) == ("ada", "bob"), "too early for another rating"
    clock.now += 1
    assert live.first(2, ()) == ("bob", "ada")
    assert clock.now == SHARE + 2, "two ratings"
    clock.now += 2 * SHARE
    assert live.first(2, ()) == ("bob", "ada")
    assert clock.now == 3 * SHARE + 2, "nothing is new"
