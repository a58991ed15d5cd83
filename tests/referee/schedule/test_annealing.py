"""The search behind schedules: changes are what they claim to be, and can be taken back."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.schedule.annealing import Arrangement, anneal, random_below, random_order
from bourre_referee.schedule.balance import LineUp, measure_balance
from bourre_referee.schedule.even_schedules import DifferenceCounts
from bourre_referee.schedule.pairings import Pairings
from bourre_referee.schedule.seating import Seating

BEFORE = [(0, 1, 2, 3), (4, 0, 5, 2)]


def blocks(bots: int, count: int) -> list[list[int]]:
    rng = Random(1)
    return [random_order(range(bots), rng) for _ in range(count)]


def priced_pairs(rows: Sequence[Sequence[int]], bots: int, mean: int) -> int:
    """Over all pairs of bots: how far from the mean they meet, squared, and twice that where it is far."""
    far = [abs(sum({a, b} <= set(row) for row in rows) - mean) for a, b in combinations(range(bots), 2)]
    return sum(distance**2 * (1 if distance < 2 else 2) for distance in far)


def squared_pairs(rows: Sequence[Sequence[int]], bots: int) -> int:
    """Over all pairs of bots: how often they meet, squared."""
    return sum(sum({a, b} <= set(row) for row in rows) ** 2 for a, b in combinations(range(bots), 2))


def squared_neighbours(rows: Sequence[Sequence[int]], bots: int) -> int:
    """Over all ordered pairs of bots: how often the second sits to the first's left, squared."""
    met = [(row[seat - 1], bot) for row in rows for seat, bot in enumerate(row)]
    return sum(met.count((a, b)) ** 2 for a in range(bots) for b in range(bots))


def cyclic(rows: Sequence[Sequence[int]], bots: int, seats: int) -> list[list[int]]:
    """All line-ups of the rounds that grow from these blocks."""
    return [[(number + shift) % bots for number in row[:seats]] for row in rows for shift in range(bots)]


@pytest.mark.parametrize("bots", [6, 7, 8])
@given(seed=st.integers(0, 999))
def test_pairs_of_a_cyclic_schedule(bots: int, seed: int) -> None:
    """A pair half of the circle apart stands for half as many pairs: its squares weigh half."""
    found, rng = DifferenceCounts.of_pairs(blocks(bots, 3), 4), Random(seed)
    before = squared_pairs(cyclic(found.rows(), bots, 4), bots)
    change = found.exchange(found.propose(rng))
    assert squared_pairs(cyclic(found.rows(), bots, 4), bots) == before + change * bots


@pytest.mark.parametrize("bots", [4, 6, 7])
@given(seed=st.integers(0, 999))
def test_neighbours_of_a_cyclic_schedule(bots: int, seed: int) -> None:
    found, rng = DifferenceCounts.of_neighbours(blocks(bots, 3), 4), Random(seed)
    before = squared_neighbours(cyclic(found.rows(), bots, 4), bots)
    change = found.exchange(found.propose(rng))
    assert squared_neighbours(cyclic(found.rows(), bots, 4), bots) == before + change * bots


@pytest.mark.parametrize(("past", "mean"), [(BEFORE, 2), (BEFORE * 3, 3)])
@given(seed=st.integers(0, 999))
def test_pairs_of_a_tail(past: list[LineUp], mean: int, seed: int) -> None:
    found, rng = Pairings(7, 4, 5, past), Random(seed)
    before = priced_pairs([*past, *found.rows()], 7, mean)
    change = sum(found.exchange(found.propose(rng)) for _ in range(4))
    assert priced_pairs([*past, *found.rows()], 7, mean) == before + change
    assert all(len(set(row)) == 4 for row in found.rows())
    assert {sum(bot in row for row in found.rows()) for bot in range(7)} == {2, 3}


@given(seed=st.integers(0, 999))
def test_neighbours_of_a_tail(seed: int) -> None:
    companies = [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5], [6, 3, 4, 0]]
    found, rng = Seating(7, 4, companies, BEFORE), Random(seed)
    before = squared_neighbours([*BEFORE, *found.rows()], 7)
    change = sum(found.exchange(found.propose(rng)) for _ in range(4))
    assert squared_neighbours([*BEFORE, *found.rows()], 7) == before + change
    assert [set(row) for row in found.rows()] == [set(company) for company in companies]
    assert all(len(set(column)) == len(companies) for column in zip(*found.rows(), strict=True))


@pytest.mark.parametrize(
    "arranged",
    [
        DifferenceCounts.of_pairs(blocks(9, 4), 4),
        DifferenceCounts.of_neighbours(blocks(9, 4), 4),
        Pairings(9, 4, 5, ()),
        Seating(9, 4, [[0, 1, 2, 3], [0, 1, 2, 4], [1, 2, 3, 5]], ()),
    ],
    ids=lambda arranged: type(arranged).__name__,
)
@given(seed=st.integers(0, 999))
def test_an_exchange_done_twice_is_undone(arranged: Arrangement, seed: int) -> None:
    move, before, spread = arranged.propose(Random(seed)), arranged.rows(), arranged.spread()
    change = arranged.exchange(move)
    assert arranged.exchange(move) == -change
    assert (arranged.rows(), arranged.spread()) == (before, spread)


@pytest.mark.parametrize("pair", list(combinations(range(4), 2)))
def test_the_spread_of_companies_is_that_of_all_pairs(pair: tuple[int, int]) -> None:
    now = Pairings(4, 2, 2, [pair] * 3)
    assert now.spread() == (4 if list(pair) in now.rows() else 3)


@given(seed=st.integers(0, 999))
def test_the_spread_of_a_tail_is_that_of_its_line_ups(seed: int) -> None:
    company, rng = Pairings(7, 4, 3, BEFORE), Random(seed)
    moved(company, rng)
    assert company.spread() == measure_balance([*BEFORE, *map(tuple, company.rows())], 7, 4).pair
    seating = Seating(7, 4, company.rows(), BEFORE)
    moved(seating, rng)
    assert seating.spread() == measure_balance([*BEFORE, *map(tuple, seating.rows())], 7, 4).neighbour


@pytest.mark.parametrize("bots", [6, 7])
@given(seed=st.integers(0, 999))
def test_the_spread_of_blocks_is_that_of_their_rounds(bots: int, seed: int) -> None:
    pairs, neighbours = (
        DifferenceCounts.of_pairs(blocks(bots, 3), 4),
        DifferenceCounts.of_neighbours(blocks(bots, 3), 4),
    )
    moved(pairs, Random(seed))
    moved(neighbours, Random(seed))
    assert pairs.spread() == measure_balance(map(tuple, cyclic(pairs.rows(), bots, 4)), bots, 4).pair
    assert neighbours.spread() == measure_balance(map(tuple, cyclic(neighbours.rows(), bots, 4)), bots, 4).neighbour


def moved(arranged: Arrangement, rng: Random) -> None:
    """After a few moves at random."""
    for _ in range(4):
        arranged.exchange(arranged.propose(rng))


def test_blocks_of_the_past_stay() -> None:
    found, rng = DifferenceCounts.of_pairs(blocks(9, 4), 4).freeze_last(3), Random(0)
    past = found.rows()[1:]
    for _ in range(200):
        found.exchange(found.propose(rng))
    assert found.rows()[1:] == past


def test_the_search_ends_at_its_target_with_the_best_it_met() -> None:
    found = DifferenceCounts.of_pairs(blocks(13, 1), 4)
    assert found.spread() > 0
    best = anneal(found, 10_000, 0, Random(0))
    assert DifferenceCounts.of_pairs(best, 4).spread() == 0


def test_the_search_without_moves_changes_nothing() -> None:
    assert anneal(DifferenceCounts.of_pairs(blocks(13, 1), 4), 0, 0, Random(0)) == blocks(13, 1)


@given(st.lists(st.integers()), st.integers(0, 99))
def test_shuffling_keeps_everything(items: list[int], seed: int) -> None:
    assert sorted(random_order(items, Random(seed))) == sorted(items)


def test_every_number_below_the_limit_comes_up() -> None:
    rng = Random(3)
    assert {random_below(5, rng) for _ in range(200)} == set(range(5))
    assert {tuple(random_order("abc", rng)) for _ in range(200)} == {
        tuple(word) for word in ("abc", "acb", "bac", "bca", "cab", "cba")
    }
