"""How long two bots wait until they meet: in simulated ladders, and why they may never meet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.log.events import (
    BotBenched,
    BotJoined,
    BotLeft,
    BotPaused,
    BotRetired,
    Event,
    LadderOpened,
    RoomFinished,
    RoomPaired,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.waiting_reasons import ExpectedWait, QueueStatus, expected_wait, explain
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


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (BotLeft("a"), "it is not connected, or has come and gone too often"),
        (BotPaused("a"), "its owner paused it"),
        (BotPaused("a", by="host"), "the host paused it"),
        (BotBenched("a", "9 faults", by="ladder"), "it was suspended: 9 faults"),
        (BotBenched("a", "9 faults"), "the host suspended it: 9 faults"),
        (BotRetired("a"), "it has retired"),
        (RoomPaired(1, ("c", "a", "b"), rated=True), "it is in room 1"),
    ],
)
def test_a_bot_that_does_not_wait_is_told_why(event: Event, reason: str) -> None:
    ladder = Ladder(*joined("a", "b", "c"), event)
    assert explain(ladder.state, "a") == QueueStatus(reason)


def test_too_few_bots_are_counted() -> None:
    ladder = Ladder(*joined("a", "b"))
    assert explain(ladder.state, "b") == QueueStatus("it waits for 1 more bot of another owner", 2, 2)
    ladder = Ladder(*joined("a:Ann", "b:Ann", "c:Ann"))
    two_missing = "it waits for 2 more bots of other owners"
    assert explain(ladder.state, "a") == QueueStatus(two_missing, 1, 3)


def test_who_may_sit_together_is_counted_by_owner_only_where_owners_are_apart_and_staff_one_by_one() -> None:
    together = LadderState()
    for event in (LadderOpened(3, owners_apart=False), *joined("a:Ann", "b:Ann")):
        together.apply(event)
    assert explain(together, "b") == QueueStatus("it waits for 1 more bot", 2, 2)
    ladder = Ladder(*joined("a:Ann", "b:Ann"), *joined("tight:host", "loose:host", staff=True))
    assert explain(ladder.state, "a").reason.startswith("it plays when its turn comes")


def test_a_hosted_bot_is_there_when_the_ladder_is_served() -> None:
    ladder = Ladder(BotJoined("a", 1, "1", "Ann", "fast", command=("python", "a.py")))
    assert explain(ladder.state, "a") == QueueStatus("it plays when the ladder is served")


def test_a_bot_that_waits_in_turn_is_told_its_place() -> None:
    ladder = Ladder(*joined(*"abcdef"))
    first = ladder.play().line_up
    places = {bot: explain(ladder.state, bot).place for bot in "abcdef"}
    assert {places[bot] for bot in first} == {4, 5, 6}
    assert explain(ladder.state, first[0]).reason.startswith("it plays when its turn comes")


def test_a_bot_too_far_ahead_is_told_which_room_it_waits_for() -> None:
    ladder = Ladder(*joined(*"abcdef"))
    slow = ladder.begin().line_up
    quick = [bot for bot in "abcdef" if bot not in slow]
    for room in (2, 3):
        ladder.note(RoomPaired(room, tuple(quick), rated=True), RoomFinished(room, games=1))
    assert ladder.pair() is None
    assert explain(ladder.state, quick[0]).reason == "it has played more than a bot in room 1, which must end first"


def test_newcomers_are_told_what_their_probation_waits_for() -> None:
    ladder = Ladder(*joined("tight", staff=True), *joined("a", "b"))
    assert explain(ladder.state, "b") == QueueStatus("its probation room begins when a table is free", 2, 2)
    ladder.note(BotLeft("tight"))
    assert explain(ladder.state, "b").reason == "its probation needs a reference bot"


def test_a_stranger_has_no_place() -> None:
    with pytest.raises(KeyError):
        explain(Ladder().state, "zorro")
