"""Tests of all pairs: Shaffer's steps, and brackets and intervals that say the same as the tests."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.statistics.estimates import t_p_value
from bourre_referee.statistics.field_model import FieldBlocks, FieldModel, fit
from bourre_referee.statistics.hall import hall
from bourre_referee.statistics.pair_tests import (
    brackets,
    compare_pairs,
    comparison_intervals,
    most_equal,
    p_values,
    spanned,
)


def model(gaps: list[float], freedom: float = 30.0, skewness: float = 0.0) -> FieldModel:
    """Returns bots whose effects are these, and whose differences all have the variance 1."""
    bots = len(gaps)
    pairs = 1.0 - np.eye(bots)
    lean = np.triu(pairs) * skewness
    return FieldModel(np.array(gaps), pairs, lean - lean.T, pairs * freedom, np.full(bots, 9), 1.0)


@pytest.mark.parametrize(
    ("bots", "numbers"), [(2, {0, 1}), (3, {0, 1, 3}), (4, {0, 1, 2, 3, 6}), (5, {0, 1, 2, 3, 4, 6, 10})]
)
def test_only_some_numbers_of_pairs_can_be_equal_at_once(bots: int, numbers: set[int]) -> None:
    """The numbers are those of Shaffer's table."""
    most = bots * (bots - 1) // 2
    assert {most_equal(bots, pairs) for pairs in range(1, most + 1)} == numbers - {0}


def test_steps_find_more_than_one_bound_for_all_pairs() -> None:
    """Three bots: once one pair differs, at most one pair can be equal, so the others need the level itself."""
    found = model([3.0, 0.6, 0.0])
    p = p_values(found)
    assert p[0, 2] == pytest.approx(t_p_value(3.0, 30))
    assert p[0, 2] < 0.05 / 3 < p[0, 1] < 0.05 < p[1, 2]
    assert compare_pairs(found, 0.05).apart.tolist() == [
        [False, True, True],
        [True, False, False],
        [True, False, False],
    ]


def test_the_margins_are_the_differences_at_the_last_step() -> None:
    tests = compare_pairs(model([1.0, 0.0], freedom=12.0), 0.05)
    assert tests.margins()[0, 1] == pytest.approx(2.178813, abs=1e-4)  # the 97.5 % quantile of t with 12 degrees
    assert np.isinf(tests.margins()[0, 0])
    assert tests.margins(4.0)[0, 1] == pytest.approx(2.010635 / 2, abs=1e-4)  # with 48 degrees


def test_half_degrees_of_freedom_lie_between_whole_ones() -> None:
    between = p_values(model([2.0, 0.0], freedom=4.5))[0, 1]
    assert between == pytest.approx((t_p_value(2.0, 4) + t_p_value(2.0, 5)) / 2)
    assert p_values(model([2.0, 0.0], freedom=0.9))[0, 1] == 1.0


def test_a_skewed_difference_counts_less() -> None:
    """A mean that rare losses would lower is less sure than its t says."""
    straight, skewed = (p_values(model([2.0, 0.0], skewness=skewness))[0, 1] for skewness in (0.0, -0.6))
    assert straight == pytest.approx(t_p_value(2.0, 30))
    assert skewed == pytest.approx(t_p_value(hall(2.0, -0.6), 30))
    assert skewed > straight


def random_model(seed: int) -> FieldModel:
    random = np.random.default_rng(seed)
    bots, matches = int(random.integers(2, 12)), int(random.integers(3, 60))
    seats = int(random.integers(2, min(bots, 5) + 1))
    line_ups = np.array([random.permutation(bots)[:seats] for _ in range(matches)])
    effects = random.normal(size=bots) * random.choice([0, 30, 100, 300])
    noise = random.standard_normal((matches, seats)) * random.uniform(20, 200, bots)[line_ups]
    return fit([FieldBlocks(line_ups, noise + effects[line_ups])], bots)


@given(st.integers(0, 100_000))
@settings(max_examples=60)
def test_intervals_and_brackets_say_the_same_as_the_tests(seed: int) -> None:
    whole = random_model(seed)
    order = [int(bot) for bot in np.argsort(-whole.effects) if whole.blocks[bot] > 1]
    tests = compare_pairs(whole.of(order), 0.035)
    apart, effects = spanned(tests.apart), whole.effects[order].tolist()
    assert not (apart & ~tests.apart).any()
    intervals = comparison_intervals(effects, tests.margins(), apart)
    found = brackets(apart)
    for one, other in combinations(range(len(order)), 2):
        overlap = intervals[one].low <= intervals[other].high
        assert overlap is not bool(apart[one, other])
        assert any(one in bracket and other in bracket for bracket in found) is not bool(apart[one, other])
    assert all(each.low <= effect <= each.high for each, effect in zip(intervals, effects, strict=True))


def test_a_pair_is_apart_only_if_every_pair_that_spans_it_is() -> None:
    apart = ~np.eye(4, dtype=bool)
    apart[0, 3] = apart[3, 0] = False
    assert not spanned(apart).any()
    apart = ~np.eye(4, dtype=bool)
    apart[1, 2] = apart[2, 1] = False
    assert (spanned(apart) == apart).all()
    assert brackets(apart) == [range(1, 3)]
