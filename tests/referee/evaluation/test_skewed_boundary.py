"""The boundary where losses are rare and large: seldom wrong, and never before 200 deals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.evaluation.compare.evidence import blocks_to_verdict, verdict_of
from bourre_referee.evaluation.compare.skewed_boundary import FEWEST_DEALS, skewed_sums, skewness_of_mean
from bourre_referee.statistics.estimates import Block, t_quantile
from bourre_referee.statistics.stopping_boundary import Verdict, half_width, judge

DECIDED = (Verdict.FIRST, Verdict.SECOND)
DIFFERENCES = st.lists(st.integers(-5000, 5000), min_size=20, max_size=80)
DEALS = 1000


def blocks(differences: Sequence[int]) -> list[Block]:
    return [Block(difference, 5) for difference in differences]


def lottery(random: Random, one_in: int) -> list[int]:
    """Wins of 1 chip, and in one deal of `one_in` a loss of all of them: nobody is better."""
    return [1 - one_in if random.random() < 1 / one_in else 1 for _ in range(DEALS)]


def verdict(differences: Sequence[int], margin: float | None = None, budget: int = DEALS) -> Verdict:
    sums = skewed_sums(blocks(differences), budget)
    return verdict_of(sums, margin) if sums else Verdict.UNDECIDED


def is_ever_decided(differences: Sequence[int]) -> bool:
    return any(verdict(differences[:deals]) in DECIDED for deals in range(50, DEALS + 1, 50))


@pytest.mark.parametrize("one_in", [20, 40])
def test_losses_in_one_deal_of_forty_or_less_seldom_make_a_bot_look_better(one_in: int) -> None:
    """Without the correction and from 50 deals on, 7 and 16 of 40 verdicts are wrong."""
    random = Random(one_in)
    assert sum(is_ever_decided(lottery(random, one_in)) for _ in range(40)) <= 2


def test_a_large_loss_moves_the_lower_end_outwards_and_leaves_the_other() -> None:
    found = skewed_sums(blocks(([1] * 39 + [-39]) * 10), DEALS)
    assert found
    half, interval = half_width(found.sums), found.interval()
    assert half
    assert interval
    assert interval[0] < found.mean - 1.2 * half
    assert interval[1] == pytest.approx(found.mean + half)


@given(DIFFERENCES)
def test_it_agrees_with_the_boundary_where_differences_are_symmetric(differences: list[int]) -> None:
    symmetric = [part for difference in differences for part in (1000 + difference, 1000 - difference)] * 5
    assert verdict(symmetric) is judge(blocks(symmetric))


@given(DIFFERENCES, st.floats(1, 5000))
def test_the_interval_holds_what_is_not_rejected(differences: list[int], mean: float) -> None:
    found = skewed_sums(blocks(differences * 10), DEALS)
    if found and (interval := found.interval()):
        assert found.rejects(mean) == (not interval[0] <= mean <= interval[1])


def test_there_is_no_verdict_before_200_deals_or_the_budget() -> None:
    clear = [3, 4] * DEALS
    decided = [deals for deals in range(20, DEALS, 20) if verdict(clear[:deals]) is Verdict.FIRST]
    assert decided[0] == FEWEST_DEALS == 200
    assert verdict(clear[:80], budget=80) is Verdict.FIRST
    found = skewed_sums(blocks(clear[:60]), DEALS)
    assert found
    assert found.interval() is None
    assert blocks_to_verdict(found, None) == 140


def test_a_comparison_that_looks_once_has_students_interval() -> None:
    """In 60 deals, the boundary would take a difference half as large again."""
    symmetric = [10, -6, 6, -2] * 15
    found = skewed_sums(blocks(symmetric), budget=60)
    assert found
    margin = t_quantile(0.975, 59) * stdev(symmetric) / sqrt(60)
    assert found.interval() == pytest.approx((2 - margin, 2 + margin))
    assert verdict(symmetric, budget=60) is Verdict.FIRST
    assert verdict(symmetric[:59], budget=60) is Verdict.UNDECIDED


def test_in_one_look_equal_bots_are_told_apart_at_most_5_times_in_100() -> None:
    random = Random(60)
    drawn = [[round(random.gauss(0, 1000)) for _ in range(60)] for _ in range(1000)]
    wrong = sum(verdict(differences, budget=60) in DECIDED for differences in drawn)
    assert 30 < wrong <= 50


def test_equal_is_said_within_the_margin_and_a_verdict_is_foretold() -> None:
    level = [5, -5] * 500
    assert verdict(level) is Verdict.UNDECIDED
    assert verdict(level, margin=1.0) is Verdict.EQUAL
    found = skewed_sums(blocks([40, -20, 30, -40, 5] * 50), DEALS)
    assert found
    more = blocks_to_verdict(found, None)
    assert more
    assert verdict([40, -20, 30, -40, 5] * (50 + more // 5 + 5)) is Verdict.FIRST
    assert verdict([40, -20, 30, -40, 5] * (50 + more // 5 - 5)) is Verdict.UNDECIDED


def test_skewness_is_that_of_the_mean() -> None:
    """39 deviations of 2 and one of -78 about a mean of -1."""
    assert skewness_of_mean(blocks([1] * 39 + [-79])) == pytest.approx((39 * 8 - 78**3) / (39 * 4 + 78**2) ** 1.5)
    assert skewness_of_mean(blocks([7] * 9)) == skewness_of_mean([]) == 0
    assert skewness_of_mean(blocks([10**200, 0, 0])) == pytest.approx(skewness_of_mean(blocks([1, 0, 0])))
