"""Matchmaking: who is paired, and that it is fair to all."""

from collections import Counter
from itertools import combinations
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladder_simulation import SEED, Measured, Setting, Simulation

from bourre_referee.ladder.log.events import BoardUpdated, Event, LadderError, RoomFinished, RoomPaired, RoomVoided
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import choose_table, opened, pair
from tests.referee.ladder.ladders import Ladder, joined, line_ups

SETTINGS = st.builds(
    Setting,
    seats=st.integers(2, 8),
    classes=st.integers(1, 2),
    always=st.integers(9, 30),
    passing=st.integers(0, 10),
    staff=st.integers(0, 3),
    workers=st.integers(1, 6),
    bots_per_owner=st.integers(1, 3),
    owners_apart=st.booleans(),
    stay=st.just(5.0),
    versions=st.sampled_from([0.0, 0.3]),
    void=st.sampled_from([0.0, 0.1]),
)


def simulated(setting: Setting, seed: int, until: float) -> tuple[Simulation, list[Event]]:
    """A simulated ladder and its log."""
    log: list[Event] = []
    simulation = Simulation(setting, Random(seed), log.append)
    simulation.run(until)
    return simulation, log


@settings(max_examples=25, deadline=None)
@given(SETTINGS, st.integers(0, 1000))
def test_no_two_bots_of_an_owner_meet_and_no_bot_is_in_two_rooms(setting: Setting, seed: int) -> None:
    simulation, log = simulated(setting, seed, 12)
    owners = {bot.bot: None if bot.joined.staff else bot.joined.owner for bot in simulation.state.entrants}
    classes = {bot.bot: bot.joined.clock_class for bot in simulation.state.entrants}
    playing: dict[int, tuple[str, ...]] = {}
    for event in log:
        if isinstance(event, RoomPaired):
            assert len({classes[bot] for bot in event.line_up}) == 1
            held = [owners[bot] for bot in event.line_up if owners[bot]]
            assert len(set(held)) == len(held) or not setting.owners_apart
            seated = [bot for bot in event.line_up if event.rated or owners[bot]]
            assert not {bot for line_up in playing.values() for bot in line_up} & set(seated)
            playing[event.room] = tuple(seated)
        elif isinstance(event, RoomFinished | RoomVoided):
            del playing[event.room]


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(Setting(always=60, workers=5, void=0.02), marks=pytest.mark.long),
        Setting(always=60, workers=3, bots_per_owner=3, seats=4),
        pytest.param(
            Setting(always=40, passing=40, workers=4, staff=3, versions=0.2, classes=2), marks=pytest.mark.long
        ),
        pytest.param(Setting(always=90, seats=8, workers=4), marks=pytest.mark.long),
    ],
)
def test_bots_that_are_always_there_play_as_often_and_wait_as_long(setting: Setting) -> None:
    """But for half a room's time, the longest wait is at most twice the median."""
    simulation, _ = simulated(setting, 3, 20)
    simulation.measured = measured = Measured()
    simulation.run(120)
    waits = [wait for waits in measured.waits.values() for wait in waits]
    assert set(measured.waits) == {bot for name in simulation.state.lists for bot in simulation.always_there(name)}
    assert measured.widest <= 2
    assert max(waits) <= 2 * median(waits) + 0.5
    assert max(measured.first_rated, default=0) <= 3
    assert measured.busy / (100 * setting.workers * setting.classes) > 0.97


@pytest.mark.parametrize(
    ("always", "workers", "seats"),
    [(24, 8, 3), *(pytest.param(*each, marks=pytest.mark.long) for each in [(20, 2, 5), (20, 4, 5), (12, 1, 4)])],
)
def test_meetings_seats_and_neighbours_are_even(always: int, workers: int, seats: int) -> None:
    simulation, _ = simulated(Setting(always=always, workers=workers, seats=seats), 1, 200)
    bots = [simulation.state.bots[bot] for bot in simulation.always_there("class-0")]
    met = [one.met[other.number] for one, other in combinations(bots, 2)]
    left = [one.at_left[other.number] for one in bots for other in bots if one is not other]
    at_seat = [[bot.at_seat[seat] for seat in range(seats)] for bot in bots]
    mean = sum(met) / len(met)
    assert max(met) <= 1.4 * mean + 2
    assert min(met) >= 0.6 * mean - 2
    assert max(left) <= 1.6 * sum(left) / len(left) + 1
    assert max(max(counts) - min(counts) for counts in at_seat) <= 2


def test_neighbours_on_the_board_that_are_not_told_apart_meet_first() -> None:
    """The first in turn, and one bot each from the two tables where it was not, have not met."""
    ladders = [Ladder(*joined(*map(str, range(9)))) for _ in range(2)]
    tables, _ = ([ladder.play().line_up for _ in range(3)] for ladder in ladders)
    first = next(iter(ladders[0].state.lists["fast"])).bot
    there = next(table for table in tables if first in table)
    trio = {first, *(table[0] for table in tables if table != there)}
    ladders[1].note(BoardUpdated("fast", tuple(combinations(sorted(trio), 2))))
    assert set(ladders[0].begin().line_up) != trio
    assert set(ladders[1].begin().line_up) == trio


def test_the_seed_decides_between_equals() -> None:
    ladder = Ladder(*joined(*map(str, range(12))))
    found = {pair(ladder.state, bytes([seed]), "fast") for seed in range(20)}
    assert len(found) > 10
    assert all(pairing is not None and "0" in pairing.line_up for pairing in found)


def test_a_newcomer_first_meets_staff_unrated_then_plays_at_once() -> None:
    ladder = Ladder(*joined("tight", "loose", staff=True), *joined("a", "b", "c", "d"))
    first = ladder.play()
    assert (sorted(first.line_up), first.rated) == (["a", "loose", "tight"], False)
    a = ladder.state.bots["a"]
    assert (a.games, a.rooms, a.met, a.probation) == (0, 0, {}, False)
    second = ladder.play()
    assert (sorted(second.line_up), second.rated) == (["a", "loose", "tight"], True)


def test_a_void_probation_room_is_repeated() -> None:
    ladder = Ladder(*joined("tight", staff=True), *joined("a"))
    assert not ladder.begin().rated
    ladder.note(RoomVoided(1, "a worker was lost"))
    assert not ladder.begin().rated


def test_probation_rooms_leave_every_other_room_to_the_others() -> None:
    ladder = Ladder(*joined("a", "b", "c", "d", "e", "f"), *joined("tight", staff=True), *joined("g", "h"))
    assert [ladder.begin().rated for _ in range(4)] == [False, True, False, True]
    assert ladder.pair() is None


def test_classes_do_not_meet() -> None:
    ladder = Ladder(*joined("a", "b"), *joined("c", clock_class="slow"))
    assert ladder.pair() is None
    assert ladder.pair("slow") is None
    assert ladder.pair("unknown") is None


def test_bots_of_an_owner_with_too_many_hold_up_nobody() -> None:
    """Ann has 8 of 12 bots, and tables of three: hers can play half as often as the others, in two rooms at once."""
    ladder = Ladder(*joined(*(f"ann {number}:Ann" for number in range(8)), "b", "c", "d", "e"))
    for _ in range(20):
        ladder.begin()
        ladder.begin()
        last = ladder.state.rooms_paired
        ladder.note(RoomFinished(last - 1, games=1), RoomFinished(last, games=1))
    assert all(sum(bot.startswith("ann") for bot in line_up) <= 1 for line_up in line_ups(ladder.log))
    games = [bot.games for name, bot in ladder.state.bots.items() if name.startswith("ann")]
    assert max(games) - min(games) <= 2
    assert min(ladder.state.bots[bot].games for bot in "bcde") >= 20


def test_a_ladder_without_terms_is_not_paired() -> None:
    with pytest.raises(LadderError, match="not open"):
        pair(LadderState(), SEED, "fast")


def waits_at(met: int, *, overlong: bool) -> bool:
    """Whether three bots that wait, and met so often in their 1,000 rooms, wait for the fourth's room to end."""
    ladder = Ladder(*joined(*"abcd"))
    waiting = ladder.state.lists["fast"]
    for took_ms in (1, 1, 1, 10 if overlong else 1):
        waiting.lengths.add(took_ms)
    bots = list(ladder.state.bots.values())
    for bot in bots:
        waiting.remove(bot)
        bot.rooms, bot.met = 1_000, Counter({other.number: met for other in bots if other is not bot})
        waiting.wait(bot)
    waiting.call(bots[3], challenge=False)
    table = choose_table(waiting, opened(ladder.state), str.encode)
    assert len(table) in (0, 3)
    return not table


def test_a_table_that_is_uneven_by_a_tenth_begins_once_a_room_took_long() -> None:
    """Two of four bots meet in two thirds of 1,000 rooms, and each pair may have met half a time more often."""
    assert [waits_at(met, overlong=False) for met in (667, 668)] == [False, True]
    assert [waits_at(met, overlong=True) for met in (733, 734)] == [False, True]
