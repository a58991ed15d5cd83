"""Ratings of a whole contest at once: the model's own numbers, whatever the order of the matches."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from random import Random
from statistics import mean

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import Gaussian
from bourre_referee.ratings.free_for_all import FreeForAll, draw_margin
from bourre_referee.ratings.in_order import rate_in_order
from bourre_referee.ratings.tied import has_one_order
from tests.referee.matches import BOTS, PUBLISHED_EIGHT, PUBLISHED_TAU, match, matches

Rate = Callable[..., Mapping[str, Rating]]
both = pytest.mark.parametrize("rating", [rate, rate_in_order], ids=["all at once", "in order"])


def numbered(results: list[MatchResult]) -> list[MatchResult]:
    """The same matches, each with an id as in a contest."""
    return [MatchResult(f"m{number:04}", each.deals, each.seats) for number, each in enumerate(results, start=1)]


def test_the_published_free_for_all() -> None:
    """Sigma before the match includes tau, as in the published example."""
    chips = dict(zip(PUBLISHED_EIGHT, range(7, -8, -2), strict=True))
    new = Gaussian(1 / ((25 / 3) ** 2 + PUBLISHED_TAU**2), 25 / ((25 / 3) ** 2 + PUBLISHED_TAU**2))
    told = FreeForAll(list(range(1, 9)), draw_margin(0.1)).pass_messages([new] * 8)
    found = {bot: new.multiply(message) for bot, message in zip(chips, told, strict=True)}
    assert {bot: (known.mu, known.pi**-0.5) for bot, known in found.items()} == {
        bot: pytest.approx(numbers, abs=1e-3) for bot, numbers in PUBLISHED_EIGHT.items()
    }


@pytest.mark.parametrize(("ranks", "mu", "sigma"), [([1, 2], 29.396, 7.171), ([1, 1], 25.0, 6.458)])
def test_the_published_two_players(ranks: list[int], mu: float, sigma: float) -> None:
    new = Gaussian(1 / ((25 / 3) ** 2 + PUBLISHED_TAU**2), 25 / ((25 / 3) ** 2 + PUBLISHED_TAU**2))
    known = new.multiply(FreeForAll(ranks, draw_margin(0.1)).pass_messages([new] * 2)[0])
    assert (known.mu, known.pi**-0.5) == pytest.approx((mu, sigma), abs=1e-3)


@given(matches(), st.floats(0.01, 0.6))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_a_single_match_without_ties_is_rated_as_the_package_does(result: MatchResult, draws: float) -> None:
    assume(has_one_order([seat.rank for seat in result.seats]))
    result = replace(result, seats=tuple(replace(seat, house_deals=0) for seat in result.seats))
    ours = rate([result], BOTS, draw_probability=draws)
    theirs = rate_in_order([result], BOTS, draw_probability=draws)
    played = [seat.bot for seat in result.seats]
    shift = 25 - mean(theirs[bot].mu for bot in played)
    for bot in BOTS:
        expected = theirs[bot].mu + (shift if bot in played else 0)
        assert (ours[bot].mu, ours[bot].sigma) == pytest.approx((expected, theirs[bot].sigma), abs=2e-3)


@given(st.lists(matches(), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_matches_plays_no_part(results: list[MatchResult], rng: Random) -> None:
    results = numbered(results)
    mixed = rng.sample(results, len(results))
    assert rate(mixed, BOTS) == rate(results, BOTS)


@given(st.lists(matches(), min_size=1, max_size=8))
def test_those_who_played_have_25_on_average(results: list[MatchResult]) -> None:
    ratings = rate(numbered(results), BOTS)
    played = {seat.bot for result in results for seat in result.seats}
    assert mean(ratings[bot].mu for bot in played) == pytest.approx(25)
    assert all(ratings[bot] == Rating() for bot in BOTS if bot not in played)


@given(st.lists(matches(), min_size=1, max_size=8))
@settings(max_examples=40)
def test_other_names_for_the_matches_change_next_to_nothing(results: list[MatchResult]) -> None:
    """Matches are swept in the order of their ids; once ratings converge, that order does not matter."""
    results = numbered(results)
    backwards = [MatchResult(f"x{999 - number}", each.deals, each.seats) for number, each in enumerate(results)]
    one, other = rate(results, BOTS), rate(backwards, BOTS)
    for bot in BOTS:
        assert abs(one[bot].mu - other[bot].mu) < 0.02 * one[bot].sigma
        assert one[bot].sigma == pytest.approx(other[bot].sigma, rel=0.01)


def test_equal_results_make_equal_ratings_whoever_met_first() -> None:
    """One pass favours the later match; rating all at once does not."""
    circle = [match({"a": 1, "b": -1}), match({"b": 1, "c": -1}), match({"c": 1, "a": -1})]
    mus = [rating.mu for rating in rate(numbered(circle), "abc").values()]
    assert mus == [pytest.approx(25, abs=0.05)] * 3
    in_order = [rating.mu for rating in rate_in_order(numbered(circle), "abc").values()]
    assert max(in_order) - min(in_order) > 0.5


def ladder(bots: list[str]) -> list[MatchResult]:
    """Tables of neighbours only, who always finish in the same order: first and last drift far apart."""
    tables = [bots[start : start + 8] for start in range(0, len(bots) - 7, 2)]
    return [match(dict(zip(table, range(7, -8, -2), strict=True))) for table in tables] * 4


@pytest.mark.parametrize("chips", [1, 0, -1], ids=["favourite wins", "draw", "upset"])
def test_bots_may_be_very_far_apart(chips: int) -> None:
    bots = [f"b{rung:02}" for rung in range(30)]
    ratings = rate(numbered([*ladder(bots), match({"b00": chips, "b29": -chips})]), bots, draw_probability=0.999)
    assert ratings["b00"].mu - ratings["b29"].mu > 100
    assert all(isfinite(rating.mu) and 0 < rating.sigma < 8 for rating in ratings.values())


@both
@pytest.mark.parametrize("draws", [0.0, 1.0])
def test_what_was_thought_impossible_may_happen(rating: Rate, draws: float) -> None:
    results = [match({"a": 0, "b": 0}), match({"a": 0, "b": 0, "c": 0}), match({"a": 1, "b": 0, "c": -1})] * 20
    for found in rating(numbered(results), "abc", draw_probability=draws).values():
        assert isfinite(found.mu)
        assert 0 < found.sigma < 8


@both
def test_a_stranger_is_named(rating: Rate) -> None:
    with pytest.raises(ValueError, match="match m0042 was played by bob, which is not among the bots to be rated"):
        rating([match({"ada": 1, "bob": -1}, name="m0042")], ["ada"])


def test_nobody_played() -> None:
    assert rate([], ["new"]) == {"new": Rating(25.0, 25 / 3)}
