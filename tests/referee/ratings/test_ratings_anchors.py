"""Anchors keep their given ratings, and all others are rated on their scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite, nan, sqrt
from random import Random
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, batch, rate, sweeps
from bourre_referee.ratings.belief import BETA, MU, SIGMA, Anchors
from bourre_referee.ratings.convergence import RESIDUAL_TOLERANCE, SAFETY_FACTOR, bound_errors
from bourre_referee.ratings.free_for_all import draw_margin
from tests.referee.matches import BOTS, match, matches
from tests.referee.ratings.test_ratings_convergence import CONTESTS, numbered, solve
from tests.referee.ratings.test_ratings_parallel import mixed

DRAWS = 0.1
MARGIN = draw_margin(DRAWS)
PRIOR = NormalDist(MU, SIGMA)
NOISE = NormalDist(0, BETA)

both_ways = pytest.mark.parametrize("parallel_from", [10**9, 0], ids=["plain", "NumPy"])


def moments(likelihood: Callable[[float], float]) -> tuple[float, float]:
    """Mu and sigma of a new bot's skill after results of this likelihood, by numerical integration."""
    skills = [MU + SIGMA * step / 100 for step in range(-700, 701)]
    weights = [PRIOR.pdf(skill) * likelihood(skill) for skill in skills]
    mean = sum(weight * skill for weight, skill in zip(weights, skills, strict=True)) / sum(weights)
    spread = sum(weight * (skill - mean) ** 2 for weight, skill in zip(weights, skills, strict=True)) / sum(weights)
    return mean, sqrt(spread)


@both_ways
@pytest.mark.parametrize("anchor", [Rating(25, 0), Rating(31, 0), Rating(18.5, 2)], ids=str)
@pytest.mark.parametrize("chips", [1, 0, -1], ids=["win", "draw", "loss"])
def test_one_result_against_an_anchor_is_that_of_the_integral(
    anchor: Rating, chips: int, parallel_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "PARALLEL_FROM", parallel_from)
    found = rate([match({"a": chips, "x": -chips})], "ax", draw_probability=DRAWS, anchors={"x": anchor})
    difference = NormalDist(0, sqrt(2 * BETA**2 + anchor.sigma**2))

    def likelihood(skill: float) -> float:
        above, below = (difference.cdf(skill - anchor.mu - end) for end in (-MARGIN, MARGIN))
        return {1: below, 0: above - below, -1: 1 - above}[chips]

    assert (found["a"].mu, found["a"].sigma) == pytest.approx(moments(likelihood), rel=1e-5)
    assert found["x"] == anchor


@both_ways
def test_a_place_between_two_anchors_is_nearly_that_of_the_integral(
    parallel_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expectation propagation is not exact for three; what it misses is small."""
    monkeypatch.setattr(batch, "PARALLEL_FROM", parallel_from)
    anchors = {"x": Rating(28, 0), "y": Rating(24, 0)}
    found = rate([match({"x": 2, "a": 0, "y": -2})], "axy", draw_probability=DRAWS, anchors=anchors)["a"]
    luck = [step / 5 for step in range(-80, 81)]

    def likelihood(skill: float) -> float:
        return sum(
            NOISE.pdf(each) * (1 - NOISE.cdf(skill + each + MARGIN - 28)) * NOISE.cdf(skill + each - MARGIN - 24)
            for each in luck
        )

    mu, sigma = moments(likelihood)
    assert abs(found.mu - mu) < 0.02 * sigma
    assert found.sigma == pytest.approx(sigma, rel=0.03)


def test_many_results_against_one_anchor_are_nearly_those_of_the_integral() -> None:
    results = numbered([{"a": 1, "x": -1}] * 14 + [{"a": -1, "x": 1}] * 6)
    found = rate(results, "ax", draw_probability=DRAWS, anchors={"x": Rating(30, 0)})["a"]
    difference = NormalDist(0, sqrt(2) * BETA)

    def likelihood(skill: float) -> float:
        win, loss = difference.cdf(skill - 30 - MARGIN), difference.cdf(30 - skill - MARGIN)
        return win**14 * loss**6

    mu, sigma = moments(likelihood)
    assert abs(found.mu - mu) < 0.05 * sigma
    assert found.sigma == pytest.approx(sigma, rel=0.03)


CASES: dict[str, tuple[Callable[[], list[MatchResult]], Anchors]] = {
    "duels, an end held": (CONTESTS["duels"], {"b00": Rating(20, 0)}),
    "chain of fours, an end held": (CONTESTS["chain of fours"], {"b00": Rating(20, 0)}),
    "chain of fours, both ends held": (CONTESTS["chain of fours"], {"b00": Rating(20, 0), "b19": Rating(45, 1)}),
    "two clusters, one held": (CONTESTS["two clusters"], {"a1": Rating(30, 0.5)}),
    "two contests, one held": (CONTESTS["two contests"], {"xb00": Rating(30, 0)}),
    "ties": (lambda: mixed(20), {"a": Rating(30, 0), "d": Rating(22, 1)}),
}
SLOW = ("chain of fours, both ends held", "two clusters, one held")
"""Those that take thousands of sweeps."""
held = pytest.mark.parametrize(
    ("contest", "anchors"),
    [pytest.param(*case, id=name, marks=[pytest.mark.long] * (name in SLOW)) for name, case in CASES.items()],
)


def rated(results: Sequence[MatchResult], anchors: Anchors) -> dict[str, Rating]:
    """The ratings of all who played."""
    return rate(results, sorted({seat.bot for each in results for seat in each.seats}), anchors=anchors)


def assert_close(found: dict[str, Rating], expected: dict[str, Rating], anchors: Anchors) -> None:
    """No mean differs by a thousandth of its sigma, and no anchor at all."""
    for bot, rating in expected.items():
        if bot in anchors:
            assert found[bot] == rating == anchors[bot]
        else:
            assert abs(found[bot].mu - rating.mu) < 1e-3 * rating.sigma
            assert found[bot].sigma == pytest.approx(rating.sigma, rel=1e-3)


@held
def test_a_much_longer_run_moves_nobody_by_a_thousandth_of_its_sigma(
    contest: Callable[[], list[MatchResult]], anchors: Anchors, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = contest()
    found = rated(results, anchors)
    monkeypatch.setattr(sweeps, "STEP_TOLERANCE", sweeps.STEP_TOLERANCE / 1000)
    monkeypatch.setattr(sweeps, "ERROR_TOLERANCE", sweeps.ERROR_TOLERANCE / 1000)
    longer = rated(results, anchors)
    assert longer != found
    assert_close(found, longer, anchors)


@held
def test_both_ways_end_within_the_same_bound(
    contest: Callable[[], list[MatchResult]], anchors: Anchors, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = contest()
    plain = rated(results, anchors)
    monkeypatch.setattr(batch, "PARALLEL_FROM", 0)
    assert_close(rated(results, anchors), plain, anchors)


@both_ways
def test_groups_that_only_anchors_join_are_rated_as_if_each_were_alone(
    parallel_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "PARALLEL_FROM", parallel_from)
    anchors = {"x": Rating(27, 0)}
    weak = [{"a": -3, "b": -1, "x": 4}, {"a": 1, "b": -1}, {"b": -2, "x": 2}]
    strong = [{"c": 5, "d": 1, "x": -6}, {"d": 2, "c": -2}]
    together = rated(numbered([*weak, *strong]), anchors)
    apart = rated(numbered(weak), anchors) | rated(numbered(strong), anchors)
    assert_close(together, apart, anchors)
    assert max(together[bot].mu for bot in "ab") < min(together[bot].mu for bot in "cd")


def test_bots_that_met_no_anchor_have_25_on_average() -> None:
    results = numbered([{"a": 1, "x": -1}, {"c": 3, "d": -3}, {"d": 1, "e": -1}])
    found = rate(results, "acdefxy", anchors={"x": Rating(60, 0), "y": Rating(3, 1)})
    assert fmean(found[bot].mu for bot in "cde") == pytest.approx(25)
    assert found["f"] == Rating()
    assert found["a"].mu > 40
    assert (found["x"], found["y"]) == (Rating(60, 0), Rating(3, 1))


def test_matches_between_anchors_alone_say_nothing() -> None:
    anchors = {"x": Rating(30, 0), "y": Rating(20, 0)}
    assert rated(numbered([{"x": -1, "y": 1}] * 3), anchors) == anchors


@both_ways
def test_results_may_contradict_the_anchors(parallel_from: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is 400 above the other loses to it, and a bot beats the one and loses to the other, again and again."""
    monkeypatch.setattr(batch, "PARALLEL_FROM", parallel_from)
    anchors = {"high": Rating(225, 0), "low": Rating(-175, 0)}
    results = numbered([{"low": 2, "a": 1, "b": 0, "high": -3}, {"low": 1, "a": 0, "high": -1}] * 10)
    for rating in rated(results, anchors).values():
        assert isfinite(rating.mu)
        assert 0 <= rating.sigma < SIGMA


@given(st.lists(matches(), min_size=1, max_size=8), st.floats(0, 50), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_the_matches_plays_no_part(results: list[MatchResult], mu: float, dice: Random) -> None:
    anchors = {"ada": Rating(mu, 0), "eve": Rating(25, 1)}
    results = [MatchResult(f"m{number}", each.deals, each.seats) for number, each in enumerate(results)]
    found = rate(results, BOTS, anchors=anchors)
    assert rate(dice.sample(results, len(results)), BOTS, anchors=anchors) == found
    assert {bot: found[bot] for bot in anchors} == anchors


@pytest.mark.parametrize("wrong", [Rating(nan, 1), Rating(inf, 1), Rating(25, -1), Rating(25, inf), Rating(25, nan)])
def test_an_anchor_needs_numbers(wrong: Rating) -> None:
    with pytest.raises(ValueError, match="the anchor a needs a finite mu and a sigma from 0"):
        rate([], ["a"], anchors={"a": wrong})


def test_an_anchor_is_one_of_the_bots() -> None:
    with pytest.raises(ValueError, match="the anchor x is not among the bots to be rated"):
        rate([], ["a"], anchors={"x": Rating()})


def test_what_remains_beside_a_bot_that_is_held_is_the_balance_of_springs() -> None:
    """The third is held by no prior but by a hand: its springs pull, and it does not give."""
    errors = bound_errors([1.0, 1.0], 1.0, [(0, 1, 10.0), (1, 2, 2.0), (2, 1, 1.0)], held=1)
    solution = solve([[11, -10], [-10, 14]], [1, 1])
    assert errors == pytest.approx([SAFETY_FACTOR * abs(way) for way in solution], rel=3 * RESIDUAL_TOLERANCE)
