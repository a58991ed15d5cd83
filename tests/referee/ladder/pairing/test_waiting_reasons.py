"""What waiting bots are told, and how often two bots meet."""

from itertools import combinations, pairwise
from random import Random
from statistics import mean

import pytest
from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.log.events import BotBenched, BotLeft, BotPaused, BotRetired, Event, RoomFinished, RoomPaired
from bourre_referee.ladder.pairing.waiting_reasons import Waiting, explain
from tests.referee.ladder.ladders import Ladder, joined, line_ups


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


@pytest.mark.parametrize(("bots", "seats", "workers"), [(12, 4, 1), (20, 5, 2), (9, 2, 2)])
def test_two_bots_meet_as_often_as_is_published(bots: int, seats: int, workers: int) -> None:
    log: list[Event] = []
    simulation = Simulation(Setting(seats=seats, always=bots, workers=workers), Random(2), log.append)
    simulation.run(400 / workers)
    meetings: dict[tuple[str, str], list[int]] = {}
    for room, line_up in enumerate(line_ups(log)):
        for one, other in combinations(sorted(line_up), 2):
            meetings.setdefault((one, other), []).append(room)
    gaps = [after - before for rooms in meetings.values() for before, after in pairwise(rooms)]
    assert len(meetings) == bots * (bots - 1) / 2
    assert mean(gaps) == pytest.approx(bots * (bots - 1) / (seats * (seats - 1)), rel=0.1)
