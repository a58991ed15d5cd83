"""How long two bots wait until they meet: in simulated ladders, and why they may never meet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.log.events import BotBenched, BotLeft, BotPaused, BotRetired, Event
from bourre_referee.ladder.matchmaking.waiting_reasons import ExpectedWait, expected_wait
from tests.referee.ladder.ladders import Ladder, joined, line_ups

ABC = joined("a", "b", "c")


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(Setting(always=20, workers=2), marks=pytest.mark.long),
        pytest.param(Setting(always=15, workers=3, seats=3), marks=pytest.mark.long),
        Setting(always=24, bots_per_owner=3),
    ],
    ids=["20 bots", "tables of 3", "3 bots of each owner"],
)
def test_bots_wait_a_little_shorter_than_they_are_told(setting: Setting) -> None:
    """From any room on until two bots meet, it is 0.8 to 0.95 times as many rooms, on average."""
    log: list[Event] = []
    simulation = Simulation(setting, Random(1), log.append)
    simulation.run(150)
    rooms = [set(line_up) for line_up in line_ups(log)]
    told: list[float] = []
    found: list[int] = []
    for pair in combinations(simulation.always_there("class-0"), 2):
        meetings = [number for number, line_up in enumerate(rooms) if line_up.issuperset(pair)]
        wait = expected_wait(simulation.state, *pair).rooms
        assert (wait is None) is (not meetings)
        if wait is not None:
            told.append(wait)
            found += waits(meetings, until=len(rooms) // 2)
    assert 0.75 * fmean(told) <= fmean(found) <= fmean(told)


def waits(meetings: list[int], until: int) -> Iterator[int]:
    """How many rooms it is to the next of these meetings, from each room before this one on."""
    for room in range(until):
        yield next(number for number in meetings if number >= room) + 1 - room


def test_bots_of_many_owners_meet_as_all_bots_do() -> None:
    state = Ladder(*joined(*"abcdefg")).state
    assert expected_wait(state, "a", "b") == ExpectedWait(7 * 6 / (3 * 2), "")


def test_bots_of_one_owner_have_fewer_opponents() -> None:
    """By hand: a room seats 3 of 5, and beside a bot 2 of its opponents; a has 3 of them, and c has 4."""
    state = Ladder(*joined("a:Ann", "b:Ann", "c", "d", "e")).state
    assert expected_wait(state, "c", "d").rooms == pytest.approx(1 / (3 / 5 * 2 / 4))
    assert expected_wait(state, "a", "c").rooms == pytest.approx(1 / (3 / 5 * 2 / 3.5))


def test_staff_bots_have_one_owner_and_meet() -> None:
    state = Ladder(*joined("tight:host", "loose:host", "calm:host", staff=True)).state
    assert expected_wait(state, "tight", "loose") == ExpectedWait(3 * 2 / (3 * 2), "")


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ((BotLeft("b"),), "b is not active"),
        ((BotPaused("a"),), "a is not active"),
        ((BotRetired("a"),), "a is not active"),
        ((BotBenched("b", "faults"),), "b is not active"),
        ((BotLeft("c"),), "1 more bot must be active to fill a table"),
    ],
)
def test_who_is_not_there_meets_nobody(events: tuple[Event, ...], reason: str) -> None:
    assert expected_wait(Ladder(*ABC, *events).state, "a", "b") == ExpectedWait(None, reason)


@pytest.mark.parametrize(
    ("bots", "reason"),
    [
        (joined("a:Ann", "b:Ann"), "a and b have the same owner, whose bots do not meet"),
        ([*joined("a"), *joined("b", clock_class="slow")], "a and b play in different clock classes"),
        ([*joined("b", staff=True), *joined("a")], "a has not passed its probation room"),
    ],
)
def test_who_never_meets(bots: list[Event], reason: str) -> None:
    assert expected_wait(Ladder(*bots).state, "a", "b") == ExpectedWait(None, reason)
    assert expected_wait(Ladder(*bots).state, "a", "a") == ExpectedWait(None, "a bot does not meet itself")
