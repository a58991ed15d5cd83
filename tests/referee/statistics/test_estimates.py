"""Intervals: tables from books, formulas from textbooks, and how often they cover the truth."""

from itertools import pairwise
from math import isfinite
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100, t_quantile
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import cross_table
from tests.referee.matches import BOTS, match, matches


@pytest.mark.parametrize(
    ("freedom", "t95", "t975", "t995"),
    [
        (1, 6.3138, 12.7062, 63.6567),
        (2, 2.9200, 4.3027, 9.9248),
        (5, 2.0150, 2.5706, 4.0321),
        (20, 1.7247, 2.0860, 2.8453),
        (30, 1.6973, 2.0423, 2.7500),
        (100, 1.6602, 1.9840, 2.6259),
        (120, 1.6577, 1.9799, 2.6174),
        (1000, 1.6464, 1.9623, 2.5808),
    ],
)
def test_student_t_is_that_of_the_tables(freedom: int, t95: float, t975: float, t995: float) -> None:
    found = [t_quantile(probability, freedom) for probability in (0.95, 0.975, 0.995)]
    assert found == pytest.approx([t95, t975, t995], abs=5.1e-5)


def test_student_t_falls_without_a_step_from_one_way_to_the_other() -> None:
    values = [t_quantile(0.975, freedom) for freedom in range(90, 111)]
    steps = [before - after for before, after in pairwise(values)]
    assert all(0 < after < before for before, after in pairwise(steps))


def test_blocks_of_different_lengths_count_by_their_deals() -> None:
    """By hand: 6 chips in 40 deals are 15 per 100; residues -1.5 and 1.5; sqrt(2 / 1 * 4.5) / 40 is 0.075."""
    estimate = estimate_per_100([Block(0, 10), Block(6, 30)])
    assert estimate.chips_per_100 == 15
    assert estimate.ci95 == pytest.approx((15 - 12.7062 * 7.5, 15 + 12.7062 * 7.5), abs=1e-3)


@pytest.mark.parametrize(
    ("blocks", "told"),
    [(0, Estimate(0.0, None, 0)), (1, Estimate(10.0, None, 50)), (3, Estimate(10.0, (10.0, 10.0), 150))],
)
def test_no_block_and_one_tell_nothing_about_chance_and_equal_ones_leave_none(blocks: int, told: Estimate) -> None:
    assert estimate_per_100([Block(5, 50)] * blocks) == told


def test_chips_may_outgrow_every_float() -> None:
    """A pot without a limit doubles and doubles: nothing overflows, and what a float holds is right."""
    large, huge = 3 * 10**200, 3 * 10**400
    estimate = estimate_per_100([Block(large, 50), Block(-large, 50), Block(large, 50)])
    assert estimate.chips_per_100 == pytest.approx(large * 2 / 3)
    assert estimate.ci95 is not None
    assert estimate.ci95[1] - estimate.chips_per_100 == pytest.approx(t_quantile(0.975, 2) * large * 4 / 3)
    ends = estimate_per_100([Block(huge, 50), Block(-huge, 50), Block(huge, 50)])
    assert ends.ci95 is not None
    assert all(isfinite(number) and abs(number) >= 1e300 for number in (ends.chips_per_100, *ends.ci95))


def test_the_cross_table_takes_the_matches_in_which_both_sat() -> None:
    results = [
        match({"ada": 6, "bob": -2, "cy": -4}, 40),
        match({"bob": 1, "ada": -1}, 10),
        match({"cy": 9, "bob": -9}),
    ]
    (_, ada_bob, ada_cy, ada_dee), (bob_ada, *_), *_ = cross_table(tally_of(results), ["ada", "bob", "cy", "dee"])
    assert ada_bob is not None
    assert bob_ada is not None
    assert (ada_bob.chips_per_100, ada_bob.deals) == (100 * (8 - 2) / 50, 50)
    assert (bob_ada.chips_per_100, bob_ada.deals) == (-12.0, 50)
    assert ada_bob.ci95 is not None
    assert ada_cy == Estimate(25.0, None, 40)
    assert ada_dee == Estimate(0.0, None, 0)


@given(st.lists(matches(), max_size=5), st.randoms())
def test_the_cross_table_is_the_same_from_both_sides_and_in_any_order(results: list[MatchResult], rng: Random) -> None:
    table = cross_table(tally_of(results), BOTS)
    assert cross_table(tally_of(rng.sample(results, len(results))), BOTS) == table
    for row, _ in enumerate(BOTS):
        assert table[row][row] is None
        for column in range(row):
            here, there = table[row][column], table[column][row]
            assert here is not None
            assert there is not None
            mirrored = there.ci95 and (-there.ci95[1], -there.ci95[0])
            assert here == Estimate(-there.chips_per_100, mirrored, there.deals)


def test_the_interval_covers_the_truth_95_times_in_100() -> None:
    rng = Random(1)
    runs = [estimate_per_100(Block(round(rng.gauss(30, 60)), 50) for _ in range(8)) for _ in range(2000)]
    covered = sum(run.ci95 is not None and run.ci95[0] <= 60 <= run.ci95[1] for run in runs)
    assert 0.935 < covered / len(runs) < 0.965
