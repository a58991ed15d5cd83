"""Ratings in order: the published numbers of TrueSkill, and no surprises with extreme ones."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, draw_share
from bourre_referee.ratings.in_order import SequentialRatings
from bourre_referee.ratings.in_order import rate_in_order as rate
from tests.referee.matches import BOTS, PUBLISHED_EIGHT, PUBLISHED_TAU, match, matches


def in_example(*results: MatchResult, bots: Iterable[str]) -> dict[str, object]:
    """The ratings under the conditions of the examples, which are given to a thousandth."""
    ratings = rate(results, list(bots), tau=PUBLISHED_TAU, draw_probability=0.1)
    return {bot: pytest.approx((rating.mu, rating.sigma), abs=1e-3) for bot, rating in ratings.items()}


def test_two_players_who_draw_or_do_not() -> None:
    assert in_example(match({"a": 4, "b": -4}), bots="ab") == {"a": (29.396, 7.171), "b": (20.604, 7.171)}
    assert in_example(match({"a": 0, "b": 0}), bots="ab") == {"a": (25.0, 6.458), "b": (25.0, 6.458)}


def test_eight_players_in_a_free_for_all() -> None:
    chips = dict(zip(PUBLISHED_EIGHT, range(7, -8, -2), strict=True))
    assert in_example(match(chips), bots=PUBLISHED_EIGHT) == PUBLISHED_EIGHT


def test_every_rating_starts_at_25_with_a_score_of_0() -> None:
    assert rate([], ["new"]) == {"new": Rating(25.0, 25 / 3)}
    assert Rating().score == pytest.approx(0)
    assert Rating(30.0, 2.0).score == 24


def test_a_bot_that_did_not_play_keeps_its_rating() -> None:
    ratings = rate([match({"ada": 1, "bob": -1})], BOTS)
    assert list(ratings) == list(BOTS)
    assert ratings["cy"] == Rating()
    assert ratings["ada"].mu > 25 > ratings["bob"].mu


@given(st.lists(matches(), min_size=1, max_size=6))
def test_every_match_makes_the_bots_in_it_better_known(results: list[MatchResult]) -> None:
    before, after = rate(results[:-1], BOTS, draw_probability=0.1), rate(results, BOTS, draw_probability=0.1)
    in_it = {seat.bot for seat in results[-1].seats if not results[-1].is_by_stand_in(seat)}
    in_it = in_it if len(in_it) > 1 else set()
    for bot in BOTS:
        assert after[bot].sigma < before[bot].sigma if bot in in_it else after[bot] == before[bot]


def test_without_tau_what_is_known_stays_known() -> None:
    ratings = [rate([match({"a": 1, "b": -1})] * many, "ab")["a"].sigma for many in (5, 50, 500)]
    assert ratings == sorted(ratings, reverse=True)
    assert rate([match({"a": 1, "b": -1})] * 5, "ab", tau=1.0)["a"].sigma > ratings[0]


def test_draws_are_counted_between_neighbours() -> None:
    assert draw_share([]) == 0
    assert draw_share([match({"a": 5, "b": 0, "c": 0, "d": -5})]) == 1 / 3
    assert draw_share([match({"a": 0, "b": 0, "c": 0}), match({"a": 2, "b": -2})]) == 2 / 3


def test_the_share_of_draws_is_that_of_the_results() -> None:
    results = [match({"a": 0, "b": 0}), match({"a": 1, "b": -1})] * 3
    assert rate(results, "ab") == rate(results, "ab", draw_probability=0.5)


def ladder(bots: Sequence[str]) -> list[MatchResult]:
    """Tables of neighbours only, who always finish in the same order: first and last drift far apart."""
    tables = [bots[start : start + 8] for start in range(0, len(bots) - 7, 2)]
    return [match(dict(zip(table, range(7, -8, -2), strict=True))) for table in tables] * 10


@pytest.mark.parametrize("chips", [1, 0, -1], ids=["favourite wins", "draw", "upset"])
def test_bots_may_be_very_far_apart(chips: int) -> None:
    """Fifty standard deviations of one match: the package itself raises FloatingPointError."""
    bots = [f"b{rung}" for rung in range(30)]
    before = rate(ladder(bots), bots, draw_probability=0.999)
    after = rate([*ladder(bots), match({"b0": chips, "b29": -chips})], bots, draw_probability=0.999)
    gap, gap_after = (ratings["b0"].mu - ratings["b29"].mu for ratings in (before, after))
    assert gap > 300
    assert gap_after == pytest.approx(gap) if chips > 0 else 250 < gap_after < gap - 10
    assert all(isfinite(rating.mu) and 0 < rating.sigma < 3 for rating in after.values())


def test_the_global_environment_is_neither_asked_nor_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = repr(trueskill.global_env())
    results = [match({"a": 0, "b": 0}), match({"a": 3, "b": 0, "c": -3}), match({"a": 0, "b": 0, "c": 0})]
    with monkeypatch.context() as patch:
        patch.setattr(trueskill, "global_env", lambda: pytest.fail("it was asked"))
        rate(results, "abc", tau=1.0, draw_probability=0.5)
    assert repr(trueskill.global_env()) == before


@settings(max_examples=20)
@given(st.lists(matches(), max_size=5))
def test_the_same_results_give_the_same_ratings(results: list[MatchResult]) -> None:
    assert rate(iter(results), BOTS) == rate(results, list(reversed(BOTS)))


def live(results: Sequence[MatchResult], ratings: SequentialRatings) -> dict[str, Rating]:
    """The ratings after these matches as well."""
    for result in results:
        ratings.add(result)
    return ratings.ratings()


def test_an_anchor_is_a_bot_that_is_known_exactly() -> None:
    """The package agrees, if it is given a rating of next to no sigma."""
    chips = {"a": 3, "b": 1, "x": 0, "c": -4}
    environment = trueskill.TrueSkill(tau=0, draw_probability=0.1)
    before = [environment.create_rating(30, 1e-4) if bot == "x" else environment.create_rating() for bot in chips]
    expected = environment.rate([(each,) for each in before], ranks=[1, 2, 3, 4])
    found = live([match(chips)], SequentialRatings(chips, 0.1, anchors={"x": Rating(30, 0)}))
    for bot, (rating,) in zip(chips, expected, strict=True):
        assert (found[bot].mu, found[bot].sigma) == pytest.approx((rating.mu, rating.sigma), abs=1e-3)
    assert found["x"] == Rating(30, 0)


@pytest.mark.parametrize("chips", [1, 0])
def test_neither_results_nor_drift_move_an_anchor(chips: int) -> None:
    ratings = SequentialRatings("abx", tau=0.5, anchors={"x": Rating(20, 0.5)})
    changes = ratings.add(match({"a": chips, "x": 0, "b": -chips}))
    assert changes["x"] == ratings.ratings()["x"] == Rating(20, 0.5)
    often = live([match({"a": chips, "x": 0, "b": -chips})] * 300, ratings)
    assert often["x"] == Rating(20, 0.5)
    assert often["a"].sigma > 0.5


def test_a_bot_drifts_before_its_own_matches_only() -> None:
    """However long it pauses, it is known as well as before."""
    ratings = SequentialRatings("abcd", 0.1, tau=1.0)
    before = ratings.add(match({"a": 1, "b": -1}))["a"]
    assert live([match({"c": 1, "d": -1})] * 50, ratings)["a"] == before
    result = match({"a": 1, "b": -1})
    after = ratings.add(result)["a"]
    again = SequentialRatings("ab", 0.1)
    again.add(result)
    assert again.add(result)["a"].sigma < after.sigma < before.sigma


@pytest.mark.parametrize("chips", [{"a": 1, "b": -1}, {"a": 0, "b": 0}, {"a": 1, "x": 0, "b": -1}], ids=str)
def test_a_freeze_ends_the_drift(chips: dict[str, int]) -> None:
    results = [match(chips)] * 40
    frozen, open_still, never = (
        SequentialRatings("abx", 0.2, tau, {"x": Rating(25, 0)} if "x" in chips else {}) for tau in (2.0, 2.0, 0.0)
    )
    frozen.set_drift(0.0)
    assert live(results, frozen) == live(results, never)
    assert live(results, open_still)["a"].sigma > 1.5 * never.ratings()["a"].sigma


def test_a_bot_may_join_with_or_without_a_rating() -> None:
    from_the_start = live([match({"a": 1, "b": -1}), match({"c": 1, "a": -1})], SequentialRatings("abc"))
    ratings = SequentialRatings("ab")
    ratings.add(match({"a": 1, "b": -1}))
    assert "c" not in ratings
    ratings.join("c")
    ratings.join("d", Rating(31, 2))
    assert "c" in ratings
    assert ratings.rating("d") == Rating(31, 2)
    ratings.add(match({"c": 1, "a": -1}))
    assert ratings.ratings() == from_the_start | {"d": Rating(31, 2)}
    with pytest.raises(ValueError, match="c is rated already, so it cannot join"):
        ratings.join("c")


def test_an_anchor_in_order_is_one_of_the_bots() -> None:
    with pytest.raises(ValueError, match="the anchor x is not among the bots"):
        SequentialRatings("ab", anchors={"x": Rating()})


def test_a_stand_in_rates_nobody_in_what_begins_now() -> None:
    """Older runs still count it. A match with one bot left rates nobody."""
    won, lost = match({"a": 1, "b": 0, "c": -1}), match({"a": -2, "b": 1, "c": 1})
    stood_in = replace(lost, seats=tuple(replace(seat, house_deals=99 * (seat.bot == "a")) for seat in lost.seats))
    alone = replace(won, seats=tuple(replace(seat, house_deals=99 * (seat.bot != "a")) for seat in won.seats))
    found, older = (dict(rate([won, stood_in, alone], "abc", version=version)) for version in (4, 3))
    without = rate([won, match({"b": 0, "c": 0})], "abc", draw_probability=1 / 3)
    assert found == without
    assert older == rate([won, lost, won], "abc", version=3)
