"""What waiting bots are told."""

import pytest

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
from bourre_referee.ladder.matchmaking.waiting_reasons import Waiting, explain
from tests.referee.ladder.ladders import Ladder, joined


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (BotLeft("a"), "it is not connected, or has come and gone too often"),
        (BotPaused("a"), "its owner paused it"),
        (BotPaused("a", by="host"), "the host paused it"),
        (BotBenched("a", "9 faults", by="ladder"), "it was benched: 9 faults"),
        (BotBenched("a", "9 faults"), "the host benched it: 9 faults"),
        (BotRetired("a"), "it has retired"),
        (RoomPaired(1, ("c", "a", "b"), rated=True), "it is in room 1"),
    ],
)
def test_a_bot_that_does_not_wait_is_told_why(event: Event, reason: str) -> None:
    ladder = Ladder(*joined("a", "b", "c"), event)
    assert explain(ladder.state, "a") == Waiting(reason)


def test_too_few_bots_are_counted() -> None:
    ladder = Ladder(*joined("a", "b"))
    assert explain(ladder.state, "b") == Waiting("1 more bot of other owners of its clock class must be free", 2, 2)
    ladder = Ladder(*joined("a:Ann", "b:Ann", "c:Ann"))
    assert explain(ladder.state, "a") == Waiting("2 more bots of other owners of its clock class must be free", 1, 3)


def test_who_may_sit_together_is_counted_by_owner_only_where_owners_are_apart_and_staff_one_by_one() -> None:
    together = LadderState()
    for event in (LadderOpened(3, owners_apart=False), *joined("a:Ann", "b:Ann")):
        together.apply(event)
    assert explain(together, "b") == Waiting("1 more bot of its clock class must be free", 2, 2)
    ladder = Ladder(*joined("a:Ann", "b:Ann"), *joined("tight:host", "loose:host", staff=True))
    assert explain(ladder.state, "a").reason.startswith("it plays in turn")


def test_a_hosted_bot_is_there_when_the_ladder_is_served() -> None:
    ladder = Ladder(BotJoined("a", 1, "1", "Ann", "fast", command=("python", "a.py")))
    assert explain(ladder.state, "a") == Waiting("it plays when the ladder is served")


def test_a_bot_that_waits_in_turn_is_told_its_place() -> None:
    ladder = Ladder(*joined(*"abcdef"))
    first = ladder.play().line_up
    places = {bot: explain(ladder.state, bot).place for bot in "abcdef"}
    assert {places[bot] for bot in first} == {4, 5, 6}
    assert explain(ladder.state, first[0]).reason.startswith("it plays in turn")


def test_a_bot_too_far_ahead_is_told_which_room_it_waits_for() -> None:
    ladder = Ladder(*joined(*"abcdef"))
    slow = ladder.begin().line_up
    quick = [bot for bot in "abcdef" if bot not in slow]
    for room in (2, 3):
        ladder.note(RoomPaired(room, tuple(quick), rated=True), RoomFinished(room, games=1))
    assert ladder.pair() is None
    assert explain(ladder.state, quick[0]).reason == "it is 2 rooms ahead of a bot in room 1, which must end first"


def test_newcomers_are_told_what_their_probation_waits_for() -> None:
    ladder = Ladder(*joined("tight", staff=True), *joined("a", "b"))
    assert explain(ladder.state, "b") == Waiting("its probation room begins when a worker is free", 2, 2)
    ladder.note(BotLeft("tight"))
    assert explain(ladder.state, "b").reason == "its probation awaits a staff bot"


def test_a_stranger_has_no_place() -> None:
    with pytest.raises(KeyError):
        explain(Ladder().state, "zorro")
