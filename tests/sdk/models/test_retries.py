"""Calls are repeated while that may help, and never beyond the clock."""

from __future__ import annotations

import asyncio

import pytest

from bourre_seats.models.chat import Completion, TryAgain, Unavailable
from bourre_seats.models.model_bot import MOST_CALLS, complete
from bourre_seats.models.questions import PLAY
from tests.sdk.models.asking import Clock, Script


def completed(script: Script, seconds: float, call_seconds: float = 10.0) -> Completion:
    until = script.clock.seconds + seconds
    try:
        return asyncio.run(complete(script, [], PLAY.form, until, call_seconds, timer=script.clock.timer))
    finally:
        assert script.clock.seconds <= until


def test_a_failure_that_passes_is_tried_again() -> None:
    script = Script([TryAgain("429"), TryAgain("500"), "AS"])
    assert completed(script, 60).text == "AS"
    assert script.clock.waits == [0.5, 1.0]


def test_the_server_may_ask_for_a_longer_pause() -> None:
    script = Script([TryAgain("429", after_s=7.0), TryAgain("500"), "AS"])
    completed(script, 60)
    assert script.clock.waits == [7.0, 1.0]


@pytest.mark.parametrize("seconds", [0.1, 0.9, 1.0, 5.0, 17.0, 59.0])
@pytest.mark.parametrize("call_seconds", [0.3, 1.0, 40.0])
def test_the_clock_is_never_exceeded(seconds: float, call_seconds: float) -> None:
    script = Script([TryAgain("the connection broke")], call_seconds=call_seconds)
    with pytest.raises(Unavailable, match="the connection broke"):
        completed(script, seconds)
    assert max(script.limits) <= min(seconds, 10.0)


def test_a_pause_that_would_outlast_the_clock_is_not_begun() -> None:
    script = Script([TryAgain("429", after_s=100.0), "AS"])
    with pytest.raises(Unavailable, match="429"):
        completed(script, 60)
    assert script.clock.waits == []


def test_without_a_clock_the_calls_end_all_the_same() -> None:
    script = Script([TryAgain("429")])
    with pytest.raises(Unavailable):
        asyncio.run(complete(script, [], PLAY.form, float("inf"), 10.0, timer=Clock().timer))
    assert len(script.asked) == MOST_CALLS


@pytest.mark.parametrize("after_s", [1e9, float("inf")])
def test_without_a_clock_no_server_stops_the_bot_by_a_long_pause(after_s: float) -> None:
    script = Script([TryAgain("429", after_s=after_s)])
    with pytest.raises(Unavailable, match="429"):
        asyncio.run(complete(script, [], PLAY.form, float("inf"), 10.0, timer=script.clock.timer))
    assert script.clock.waits == []


def test_a_long_clock_is_used_to_its_end() -> None:
    failures = 3 * MOST_CALLS
    script = Script([*[TryAgain("429")] * failures, "AS"])
    assert completed(script, 3600).text == "AS"
    assert len(script.asked) == failures + 1
    assert script.clock.waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, *[30.0] * (failures - 6)]


def test_no_call_is_made_when_no_time_is_left() -> None:
    script = Script(["AS"])
    with pytest.raises(Unavailable, match="no time was left"):
        completed(script, 0)
    assert script.asked == []
