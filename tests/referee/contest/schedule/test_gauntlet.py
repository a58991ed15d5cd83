"""A gauntlet and fixed line-ups: what is given, what is exact, what is even."""

from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.contest.schedule import LineUp, Schedule, fixed_line_ups, gauntlet, round_robin, round_robin_tables

SIZES = [(2, 2), (5, 2), (4, 3), (5, 3), (6, 6), (9, 4), (7, 5), (12, 5), (10, 8)]


def times_in_seats(schedule: Schedule) -> list[list[int]]:
    """For every bot, how often it sits in each seat."""
    seats = range(schedule.seats)
    return [
        [sum(line_up[seat] == bot for line_up in schedule.line_ups) for seat in seats] for bot in range(schedule.bots)
    ]


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_every_match_of_a_gauntlet_holds_the_champion(bots: int, seats: int) -> None:
    schedule = gauntlet(bots, seats, 1, 1, b"")
    assert len(schedule.line_ups) == seats * (bots - 1)
    assert schedule.rounds == 1
    assert all(1 in line_up and len(set(line_up)) == seats for line_up in schedule.line_ups)


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_a_gauntlet_is_exact_in_seats_for_everyone(bots: int, seats: int) -> None:
    times = times_in_seats(gauntlet(bots, seats, 2, 0, b"any"))
    assert times[0] == [2 * (bots - 1)] * seats
    assert all(own == [2 * (seats - 1)] * seats for own in times[1:])


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (6, 4), (8, 5), (12, 5), (9, 4)])
def test_the_field_of_a_gauntlet_meets_evenly(bots: int, seats: int) -> None:
    schedule = gauntlet(bots, seats, 1, 2, b"")
    field = [bot for bot in range(bots) if bot != 2]
    together = [sum({a, b} <= set(line_up) for line_up in schedule.line_ups) for a in field for b in field if a < b]
    assert max(together) - min(together) == schedule.balance.pair <= 1
    assert schedule.balance.seat == 0


def test_neighbours_in_the_field_make_up_for_the_gap_of_the_champion() -> None:
    balances = [gauntlet(7, 7, rounds, 0, b"").balance for rounds in (1, 2, 3)]
    assert [balance.neighbour for balance in balances] == [0, 2, 2]


@settings(max_examples=20)
@given(st.binary(max_size=20))
def test_the_seed_of_a_gauntlet_hands_out_parts_only(seed: bytes) -> None:
    schedule = gauntlet(6, 4, 1, 3, seed)
    assert schedule == gauntlet(6, 4, 1, 3, seed)
    assert schedule.balance == gauntlet(6, 4, 1, 3, b"another").balance


def test_another_seed_is_another_gauntlet() -> None:
    assert len({gauntlet(6, 4, 1, 3, bytes([seed])).line_ups for seed in range(8)}) == 8


COMPANIES = [(0, 1, 2), (2, 3, 4), (4, 1, 0)]


def test_fixed_companies_sit_in_every_seat_equally_often() -> None:
    schedule = fixed_line_ups(5, 3, COMPANIES, 2, b"")
    companies = Counter(frozenset(line_up) for line_up in schedule.line_ups)
    assert companies == {frozenset(company): 6 for company in COMPANIES}
    for company in COMPANIES:
        played = [line_up for line_up in schedule.line_ups if set(line_up) == set(company)]
        assert all(Counter(seat) == dict.fromkeys(company, 2) for seat in zip(*played, strict=True))
    assert schedule.balance.seat == 0
    assert schedule.rounds == 2


def test_another_seed_is_another_order_of_a_fixed_company() -> None:
    seeds = [bytes([seed]) for seed in range(8)]
    assert len({fixed_line_ups(5, 3, COMPANIES, 2, seed).line_ups for seed in seeds}) == 8
    assert fixed_line_ups(5, 3, COMPANIES, 2, b"a") == fixed_line_ups(5, 3, COMPANIES, 2, b"a")


def test_the_same_on_every_machine() -> None:
    """If this changes, contests with a public seed are no longer those that were published."""
    schedules = [
        gauntlet(6, 4, 2, 3, b"seed"),
        gauntlet(9, 5, 1, 0, b"seed"),
        round_robin_tables(11, 4, 9, b"seed"),
        fixed_line_ups(7, 5, [(0, 1, 2, 3, 4), (2, 3, 4, 5, 6)], 3, b"seed"),
        round_robin(6, 3, 13, b"seed"),
    ]
    text = repr([schedule.line_ups for schedule in schedules])
    assert sha256(text.encode()).hexdigest()[:16] == "5a9fd011a5e1949b"


@pytest.mark.parametrize(("seats", "repeats"), [(3, 2), (5, 4), (6, 10), (4, 3), (8, 7)])
def test_neighbours_of_a_fixed_company_are_even_over_its_repeats(seats: int, repeats: int) -> None:
    line_ups = fixed_line_ups(seats, seats, [tuple(range(seats))], repeats, b"x").line_ups
    left = Counter(pair for line_up in line_ups for pair in circle(line_up))
    assert len(left) == seats * (seats - 1)
    assert len(set(left.values())) == 1


def circle(line_up: LineUp) -> list[tuple[int, int]]:
    """All pairs of neighbours, including the last and the first."""
    return list(pairwise((*line_up, line_up[0])))


@pytest.mark.parametrize(
    ("bots", "seats", "rounds", "words"),
    [
        (3, 4, 1, "3 bots cannot fill a table of 4.\nhint: add 1 more, or use 3 seats"),
        (2, 3, 1, "2 bots cannot fill a table of 3.\nhint: add 1 more, or use 2 seats"),
        (3, 9, 1, "a table has 2 to 8 seats, not 9"),
        (3, 3, 0, "a schedule has 1 or more rounds, not 0"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(bots: int, seats: int, rounds: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gauntlet(bots, seats, rounds, 0, b"")
    with pytest.raises(ValueError, match=words):
        fixed_line_ups(bots, seats, [(0, 1, 2)], rounds, b"")
