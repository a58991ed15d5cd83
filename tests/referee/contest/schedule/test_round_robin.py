"""Any number of tables: a tail after the whole rounds."""

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.contest.schedule import Balance, Schedule, measure_balance, round_robin, round_robin_tables
from bourre_referee.contest.schedule import designs as tail
from tests.long_tests import share_of_examples

ASKED = st.integers(2, 12).flatmap(
    lambda bots: st.tuples(st.just(bots), st.integers(2, min(bots, 8)), st.integers(1, 3 * bots))
)


def games_of(schedule: Schedule) -> list[int]:
    """The number of tables of every bot."""
    counts = Counter(bot for line_up in schedule.line_ups for bot in line_up)
    return [counts[bot] for bot in range(schedule.bots)]


@share_of_examples(0.4)
@given(ASKED)
def test_no_bot_has_a_seat_or_a_table_twice_more_than_another(asked: tuple[int, int, int]) -> None:
    bots, seats, count = asked
    schedule = round_robin_tables(bots, seats, count, b"")
    assert len(schedule.line_ups) == count
    assert schedule.rounds == count // bots
    assert all(len(set(line_up)) == len(line_up) == seats for line_up in schedule.line_ups)
    assert schedule.balance.seat <= 1
    assert max(games_of(schedule)) - min(games_of(schedule)) <= 1
    assert schedule.balance.pair <= 3


def test_pairs_of_tails_differ_by_2_at_most() -> None:
    asked = [(8, 3, 4), (8, 5, 12), (10, 8, 13), (11, 5, 10), (14, 3, 18), (14, 5, 7), (14, 5, 13), (15, 8, 7)]
    assert {round_robin_tables(*numbers, b"").balance.pair for numbers in asked} == {1, 2}


@pytest.mark.parametrize(("moves", "found", "kept"), [(9, 3, False), (12, 2, True)])
def test_pairs_that_differ_by_more_than_2_are_searched_longer(
    monkeypatch: pytest.MonkeyPatch, moves: int, found: int, kept: bool
) -> None:
    """Eight bots at four tables of five: so few moves leave them uneven, or just even enough."""
    monkeypatch.setattr(tail, "PAIRING_MOVES", (moves,))
    first = tail.search_tail(8, 5, 4, ())
    assert measure_balance(first, 8, 5).pair == found
    monkeypatch.setattr(tail, "PAIRING_MOVES", (moves, 2000))
    second = tail.search_tail(8, 5, 4, ())
    assert measure_balance(second, 8, 5).pair == 2
    assert (second == first) is kept


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(5, 3, 1), (6, 6, 2), (8, 4, 9)])
def test_whole_rounds_need_no_tail(bots: int, seats: int, rounds: int) -> None:
    assert round_robin_tables(bots, seats, rounds * bots, b"x") == round_robin(bots, seats, rounds, b"x")


def test_a_tail_makes_up_for_whom_the_rounds_kept_apart() -> None:
    """Eight at tables of four, one round and a half: alone the round has a spread of 1."""
    assert round_robin_tables(8, 4, 12, b"").balance.pair <= 2


def test_two_tables_of_all_different_bots() -> None:
    assert games_of(round_robin_tables(10, 5, 2, b"")) == [1] * 10


@settings(max_examples=6)
@given(st.binary(max_size=40))
def test_the_seed_changes_no_balance(seed: bytes) -> None:
    assert round_robin_tables(7, 4, 9, seed) == round_robin_tables(7, 4, 9, seed)
    assert round_robin_tables(7, 4, 9, seed).balance == round_robin_tables(7, 4, 9, b"another").balance


def test_one_table() -> None:
    schedule = round_robin_tables(2, 2, 1, b"")
    assert sorted(schedule.line_ups[0]) == [0, 1]
    assert schedule.balance == Balance(seat=1, pair=0, neighbour=0)


def test_no_table_is_refused() -> None:
    with pytest.raises(ValueError, match="a schedule has 1 or more tables, not 0"):
        round_robin_tables(5, 3, 0, b"")


def test_the_same_on_every_machine() -> None:
    """A tail counts what the rounds before it were. If this changes, contests are no longer those as published."""
    text = repr([round_robin_tables(*asked, b"seed").line_ups for asked in ((8, 4, 12), (7, 3, 10), (6, 4, 15))])
    assert sha256(text.encode()).hexdigest()[:16] == "06b8b8279b6354f8"
