"""Whole rounds: everyone in every seat, meetings as even as possible."""

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.contest.schedule import Balance, measure_balance, round_robin
from bourre_referee.contest.schedule.designs import search_base_blocks
from tests.long_tests import share_of_examples

PRIME_POWERS = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16]


@pytest.mark.parametrize("bots", PRIME_POWERS)
def test_a_full_cycle_over_a_field_meets_everyone_everywhere_once(bots: int) -> None:
    seats = min(5, bots)
    met: Counter[tuple[int, int, int, int]] = Counter()
    for line_up in round_robin(bots, seats, None, b"any").line_ups:
        met.update((*bots_, *seats_) for bots_, seats_ in _both(line_up))
    assert len(met) == bots * (bots - 1) * seats * (seats - 1)
    assert set(met.values()) == {1}


def _both(line_up: tuple[int, ...]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Every two bots of a line-up, in order, and their seats."""
    return [((line_up[a], line_up[b]), (a, b)) for a, b in permutations(range(len(line_up)), 2)]


@pytest.mark.parametrize(("bots", "seats"), [(16, 8), (25, 6), (27, 7), (32, 8), (64, 8)])
def test_a_full_cycle_over_a_field_is_even(bots: int, seats: int) -> None:
    schedule = round_robin(bots, seats, None, b"")
    assert schedule.rounds == bots - 1
    assert schedule.balance == Balance(seat=0, pair=0, neighbour=0)


@pytest.mark.parametrize("most", [10, pytest.param(13, marks=pytest.mark.long)])
def test_every_round_has_everyone_in_every_seat_and_pairs_seldom_differ_by_2(most: int) -> None:
    """Six in 100, of all sizes up to 40 bots. (Three in a circle have two orders, and a round has room for one.)"""
    sizes = [(bots, seats) for bots in range(2, most + 1) for seats in range(2, min(8, bots) + 1)]
    schedules = [round_robin(bots, seats, rounds, b"") for bots, seats in sizes for rounds in (1, 2, 3)]
    for schedule in schedules:
        assert all(len(set(line_up)) == schedule.seats for line_up in schedule.line_ups)
        rounds = zip(*[iter(schedule.line_ups)] * schedule.bots, strict=True)
        columns = [seat for played in rounds for seat in zip(*played, strict=True)]
        assert len(columns) == schedule.rounds * schedule.seats
        assert all(sorted(seat) == list(range(schedule.bots)) for seat in columns)
    balances = [schedule.balance for schedule in schedules if schedule.bots > 3]
    assert max(balance.pair for balance in balances) <= 2
    assert sum(balance.neighbour > 2 for balance in balances) <= 1
    assert sum(balance.pair == 2 for balance in balances) < 0.06 * len(balances)


@pytest.mark.parametrize(("bots", "seats"), [(6, 4), (6, 5), (10, 5), (12, 3), (12, 8), (14, 6), (15, 7), (18, 5)])
def test_a_full_cycle_of_other_numbers_is_even_in_pairs(bots: int, seats: int) -> None:
    assert round_robin(bots, seats, None, b"").balance.pair == 0


def test_a_full_cycle_may_have_reason_to_be_uneven() -> None:
    """Three of six: a block has an even number of odd differences, the full cycle needs an odd number. Two do."""
    assert round_robin(6, 3, None, b"").balance.pair == 2
    assert round_robin(6, 3, 10, b"").balance.pair == 0


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"), [(7, 3, 1), (13, 4, 1), (21, 5, 1), (31, 6, 1), (6, 4, 5), (10, 4, 3), (12, 5, 11)]
)
def test_pairs_are_even_where_it_can_be(bots: int, seats: int, rounds: int) -> None:
    """The first four are projective planes: every two bots meet at one table."""
    assert round_robin(bots, seats, rounds, b"").balance.pair == 0


@pytest.mark.parametrize(
    ("bots", "rounds", "spread"), [(6, 5, 0), (6, 1, 1), (8, 1, 1), (5, 4, 0), (8, 7, 0), (5, 1, 2)]
)
def test_a_table_of_all_bots_varies_who_is_to_whose_left(bots: int, rounds: int, spread: int) -> None:
    """Five at one table in one round cannot do better in a circle: one step always comes twice, another never."""
    assert round_robin(bots, bots, rounds, b"").balance == Balance(0, 0, spread)


@pytest.mark.parametrize(("bots", "seats"), [(6, 3), (10, 7), (12, 5), (9, 4), (2, 2)])
def test_many_cycles_get_no_less_even(bots: int, seats: int) -> None:
    for rounds in (2 * bots - 2, 2 * bots, 7 * bots + 3):
        balance = round_robin(bots, seats, rounds, b"").balance
        assert (balance.seat, balance.pair <= 2, balance.neighbour <= 2) == (0, True, True)


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(6, 3, 9), (10, 4, 8), (12, 6, 10)])
def test_later_rounds_make_up_for_earlier_ones(bots: int, seats: int, rounds: int) -> None:
    before = (tuple(range(seats)),)
    blocks = before + search_base_blocks(bots, seats, rounds, before)
    line_ups = [tuple((number + shift) % bots for number in block) for block in blocks for shift in range(bots)]
    assert measure_balance(line_ups[:bots], bots, seats).pair > 1
    assert measure_balance(line_ups, bots, seats) == Balance(seat=0, pair=0, neighbour=0)


@share_of_examples(0.4)
@given(st.binary(max_size=40), st.sampled_from([(10, 4, 2), (9, 4, None), (5, 5, 1)]))
def test_the_seed_hands_out_parts_and_changes_no_balance(seed: bytes, asked: tuple[int, int, int | None]) -> None:
    schedule = round_robin(*asked, seed)
    assert schedule == round_robin(*asked, seed)
    assert schedule.balance == round_robin(*asked, b"another").balance


def test_no_bot_is_favoured_by_its_index() -> None:
    """Over many seeds, everyone starts the contest in every seat."""
    openings = Counter(round_robin(5, 3, 1, bytes([seed])).line_ups[0] for seed in range(250))
    assert len(openings) > 50
    for seat in zip(*openings.elements(), strict=True):
        assert min(Counter(seat).values()) > 25


def test_the_same_on_every_machine() -> None:
    """If this changes, contests with a public seed are no longer those that were published."""
    schedules = [round_robin(10, 4, 2, b"seed"), round_robin(10, 5, 9, b"seed"), round_robin(9, 5, None, b"seed")]
    text = repr([schedule.line_ups for schedule in schedules])
    assert sha256(text.encode()).hexdigest()[:16] == "2f95c7c335dc12f1"


@pytest.mark.parametrize(
    ("bots", "seats", "rounds", "words"),
    [
        (4, 5, 1, "4 bots cannot fill a table of 5.\nhint: add 1 more, or use 4 seats"),
        (20, 9, 1, "a table has 2 to 8 seats, not 9"),
        (20, 1, None, "a table has 2 to 8 seats, not 1"),
        (1, 2, None, "1 bots cannot fill a table of 2.\nhint: add 1 more$"),
        (5, 5, 0, "a schedule has 1 or more rounds, not 0"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(bots: int, seats: int, rounds: int | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        round_robin(bots, seats, rounds, b"")
