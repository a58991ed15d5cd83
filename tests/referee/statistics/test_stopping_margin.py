"""Two bots that are closer than a margin: when that verdict comes, and how rarely it is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.statistics.block_sums import PILOT
from bourre_referee.statistics.estimates import Block
from bourre_referee.statistics.neighbours import blocks_needed
from bourre_referee.statistics.stopping_boundary import (
    LEVEL,
    RATIO,
    Sums,
    Verdict,
    anytime_interval,
    judge,
    judge_sums,
)

DIFFERENCES = st.lists(st.integers(-5000, 5000), min_size=PILOT, max_size=80)
DECIDED = (Verdict.FIRST, Verdict.SECOND)


def blocks(differences: Sequence[int]) -> list[Block]:
    return [Block(difference, 5) for difference in differences]


def first_said(differences: Sequence[int], margin: float) -> Verdict:
    """The first verdict when testing after each block once the pilot is over; in one pass."""
    scale = RATIO * sum(difference**2 for difference in differences[:PILOT]) / PILOT
    sums = zip(accumulate(differences), accumulate(difference**2 for difference in differences), strict=True)
    looks = (Sums(number, *both, scale) for number, both in enumerate(sums, start=1) if number >= PILOT)
    said = (judge_sums(known, LEVEL, margin) for known in looks)
    return next((what for what in said if what is not Verdict.UNDECIDED), Verdict.UNDECIDED)


def answers(mean: float, margin: float, runs: int, number: int = 1500) -> list[Verdict]:
    """The first verdicts on bots this far apart, in standard deviations of a block, in this many comparisons."""
    random = Random(20)
    return [
        first_said([round(random.gauss(1000 * mean, 1000)) or 1 for _ in range(number)], 1000 * margin)
        for _ in range(runs)
    ]


def test_without_a_margin_nobody_is_called_equal() -> None:
    level = blocks([5, -5] * 5000)
    assert judge(level) is Verdict.UNDECIDED
    assert judge(level, margin=1.0) is Verdict.EQUAL
    assert blocks_needed(level) is None
    assert blocks_needed(level, margin=1.0) == 0


@given(DIFFERENCES, st.floats(1, 10**4))
def test_equal_is_said_exactly_where_the_interval_lies_within_the_margin(differences: list[int], margin: float) -> None:
    known = blocks(differences * 5)
    said, interval = judge(known, margin=margin), anytime_interval(known)
    if interval and said not in DECIDED:
        low, high = interval
        assert (said is Verdict.EQUAL) == (-margin < low and high < margin)


@given(DIFFERENCES, st.floats(1, 10**4))
def test_a_margin_changes_no_answer_but_undecided(differences: list[int], margin: float) -> None:
    plain, asked = judge(blocks(differences)), judge(blocks(differences), margin=margin)
    assert asked is plain or (plain, asked) == (Verdict.UNDECIDED, Verdict.EQUAL)
    turned = judge(blocks([-difference for difference in differences]), margin=margin)
    assert (turned is Verdict.EQUAL) == (asked is Verdict.EQUAL)


@pytest.mark.parametrize("differences", [[], [9, -9] * 9, [0] * 1000])
def test_nothing_is_said_before_twenty_deals_came_out_differently(differences: list[int]) -> None:
    """Bots that have always done the same may still differ, by any amount."""
    assert judge(blocks(differences), margin=1e9) is Verdict.UNDECIDED
    assert blocks_needed(blocks(differences), margin=1e9) is None


def test_equal_bots_are_found_to_be_and_seldom_told_apart() -> None:
    said = answers(0, margin=0.2, runs=200)
    assert sum(what in DECIDED for what in said) <= 0.05 * 200
    assert said.count(Verdict.EQUAL) > 0.9 * 200


@pytest.mark.parametrize("mean", [0.2, 0.3, -0.2])
def test_bots_as_far_apart_as_the_margin_are_seldom_called_closer_or_the_wrong_way_round(mean: float) -> None:
    said = answers(mean, margin=0.2, runs=200)
    wrong = said.count(Verdict.EQUAL) + said.count(Verdict.SECOND if mean > 0 else Verdict.FIRST)
    assert wrong <= 0.05 * 200


def test_looking_often_at_a_fixed_interval_would_call_them_closer_much_more_often() -> None:
    """With a boundary of 1.96 standard errors: shows why the mixture is needed."""
    random = Random(20)
    wrong = 0
    for _ in range(100):
        totals = accumulate(random.gauss(-1, 1) for _ in range(2000))
        wrong += any(total + number < -1.96 * number**0.5 for number, total in enumerate(totals, 1) if number > PILOT)
    assert wrong > 15


def test_what_is_foretold_is_reached_and_not_before() -> None:
    known = [40, -40, 31, -30]
    more = blocks_needed(blocks(known * 10), margin=8.0)
    assert more
    times = -(-(40 + more) // 4)
    assert judge(blocks(known * times), margin=8.0) is Verdict.EQUAL
    assert judge(blocks(known * (times - 2)), margin=8.0) is Verdict.UNDECIDED
    assert blocks_needed(blocks(known * times), margin=8.0) == 0
