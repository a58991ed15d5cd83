"""Live ratings start from the last refit, take in later games, and wait for a refit to take games back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from random import Random

import pytest

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.board.live_ratings import MOST_POINTS, TAU, CurvePoint, LiveRatings, RatingCurve, Refit
from bourre_referee.ladder.board.live_ratings import refit as refit_outcomes
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import NO_ANCHORS, SIGMA, Anchors
from bourre_referee.ratings.in_order import SequentialRatings
from tests.referee.ladder.board.boards import game, games

SKILLS = {"a.1": 31.0, "b.1": 28.0, "c.1": 25.0, "d.1": 22.0, "staff.1": 25.0}
ANCHORS = {"staff.1": Rating(25.0, 1.0)}


def played(count: int, seed: int = 1) -> list[RatedGame]:
    """The first games of a ladder."""
    return list(games(SKILLS, count, Random(seed)))


def refit(some: Iterable[RatedGame], anchors: Anchors = NO_ANCHORS, void: Collection[int] = frozenset()) -> Refit:
    """The refit of these games."""
    return refit_outcomes((each.outcome for each in some), anchors, void)


def taken(some: Iterable[RatedGame], live: LiveRatings | None = None) -> LiveRatings:
    """Live ratings that have taken in these games."""
    live = live or LiveRatings(ANCHORS)
    for each in some:
        live.take(each.outcome)
    return live


def test_without_a_refit_they_are_those_of_one_pass_with_drift() -> None:
    expected = SequentialRatings(SKILLS, tau=TAU, anchors=ANCHORS)
    for each in played(30):
        expected.add(each.result)
    assert taken(played(30)).ratings() == expected.ratings()


def test_an_entrant_that_joins_later_starts_at_the_widest_sigma() -> None:
    live = taken(played(30))
    assert live.rating("e.1") == Rating()
    live.take(game(31, "e.1", "a.1").outcome)
    assert SIGMA > live.rating("e.1").sigma > live.rating("a.1").sigma
    assert live.rating("e.1").mu > 25


def test_a_refit_rates_all_games_at_once_on_the_scale_of_the_anchors() -> None:
    results = [each.result for each in played(60)]
    found = refit(iter(played(60)), ANCHORS)
    assert found.ratings == rate(results, sorted(SKILLS), anchors=ANCHORS)
    assert (found.games, found.void) == (60, frozenset())
    assert found.ratings["staff.1"] == ANCHORS["staff.1"]
    assert refit([], ANCHORS).ratings == ANCHORS


def test_a_refit_does_not_mind_the_order_of_its_games() -> None:
    assert refit(played(60)) == refit(Random(2).sample(played(60), 60))


def test_after_a_refit_only_later_games_are_rated_live() -> None:
    some = played(60)
    fit = refit(some[:40], ANCHORS)
    live = taken(some)
    live.adopt(fit)
    expected = SequentialRatings(ANCHORS, fit.draw_probability, TAU, ANCHORS)
    for entrant in sorted(SKILLS.keys() - ANCHORS):
        expected.join(entrant, fit.ratings[entrant])
    for each in some[40:]:
        expected.add(each.result)
    assert live.ratings() == expected.ratings()
    assert live.refit == fit
    full = refit(some, ANCHORS)
    live.adopt(full)
    assert live.ratings() == full.ratings


@pytest.mark.parametrize("of", [29, 51])
def test_a_refit_is_of_the_games_taken_in_and_no_older_than_the_last(of: int) -> None:
    live = taken(played(50))
    live.adopt(refit(played(30)))
    with pytest.raises(ValueError, match=f"a refit of {of} games is not one of 30 to 50 games"):
        live.adopt(refit(played(of)))


def test_a_game_taken_back_makes_the_ratings_stale_until_a_refit_leaves_it_out() -> None:
    some = played(50)
    live = taken(some)
    before = live.ratings()
    live.take_back(7)
    assert (live.is_stale, live.ratings()) == (True, before)
    live.adopt(refit(some[:40], ANCHORS))
    assert live.is_stale
    fit = refit(some[:40], ANCHORS, void={7, 50})
    assert (fit.games, fit.void) == (40, frozenset({7}))
    live.adopt(fit)
    assert not live.is_stale
    without = taken(some[40:], LiveRatings(ANCHORS, refit=Refit(0, frozenset(), fit.draw_probability, fit.ratings)))
    assert live.ratings() == without.ratings()
    live.take_back(7)
    assert not live.is_stale


def test_a_later_game_taken_back_is_left_out_at_the_next_refit_too() -> None:
    some = played(50)
    live = taken(some)
    live.take_back(45)
    fit = refit(some[:40], ANCHORS)
    live.adopt(fit)
    assert not live.is_stale
    rest = [each for each in some[40:] if each.room != 45]
    again = taken(rest, LiveRatings(ANCHORS, refit=Refit(0, frozenset(), fit.draw_probability, fit.ratings)))
    assert live.ratings() == again.ratings()
    live.adopt(refit(some[:42], ANCHORS))
    assert not live.is_stale
    live.adopt(refit(some, ANCHORS))
    assert live.is_stale
    live.adopt(refit(some, ANCHORS, void={45}))
    assert not live.is_stale


def test_a_freeze_ends_the_drift_of_the_games_from_then_on() -> None:
    """Each game keeps the drift of its time, also when a refit makes it be rated again."""
    some = played(60)
    expected = SequentialRatings(SKILLS, tau=1.0, anchors=ANCHORS)
    live = LiveRatings(ANCHORS, tau=1.0)
    for number, each in enumerate(some):
        live.freeze(20 <= number < 40)
        expected.set_drift(0.0 if 20 <= number < 40 else 1.0)
        live.take(each.outcome)
        expected.add(each.result)
    assert live.ratings() == expected.ratings()
    live.adopt(Refit(ratings=ANCHORS))
    assert live.ratings() == expected.ratings()


def test_a_host_that_starts_again_has_the_same_ratings() -> None:
    some = played(60)
    fit = refit(some[:40], ANCHORS)
    live = taken(some)
    live.adopt(fit)
    again = taken(some, LiveRatings(ANCHORS, refit=fit))
    assert again.ratings() == live.ratings()
    assert (again.games, again.played) == (live.games, live.played)


def test_a_curve_shows_the_rating_after_each_game_of_an_entrant() -> None:
    some = played(20)
    live = taken(some)
    points = list(live.curves["a.1"])
    assert [point.game for point in points] == list(range(1, live.played["a.1"] + 1))
    assert (points[-1].mu, points[-1].sigma) == (live.rating("a.1").mu, live.rating("a.1").sigma)
    live.adopt(refit(some, ANCHORS))
    corrected = list(live.curves["a.1"])
    assert corrected[:-1] == points[:-1]
    assert corrected[-1] == (points[-1].game, live.rating("a.1").mu, live.rating("a.1").sigma)


def curve_of(games: int) -> RatingCurve:
    """A curve whose ratings tell the game."""
    curve = RatingCurve()
    for number in range(1, games + 1):
        curve.add(number, Rating(number / 10, 1 / number))
    return curve


@pytest.mark.parametrize("games", [0, 1, 2, MOST_POINTS, MOST_POINTS + 1, 10 * MOST_POINTS + 7, 99_999])
def test_it_is_bounded_even_and_ends_at_the_last_game(games: int) -> None:
    points = list(curve_of(games))
    assert len(points) == len(curve_of(games)) <= MOST_POINTS
    assert all(point == (point.game, point.game / 10, 1 / point.game) for point in points)
    steps = {after.game - before.game for before, after in pairwise(points[:-1])}
    assert len(steps) <= 1
    assert [point.game for point in points[-1:]] == [games][: len(points)]
    assert len(points) >= min(games, MOST_POINTS // 2)


def test_the_last_rating_can_be_corrected() -> None:
    curve = curve_of(5)
    curve.correct(Rating(40.0, 2.0))
    assert list(curve)[-2:] == [CurvePoint(4, 0.4, 0.25), CurvePoint(5, 40.0, 2.0)]
    RatingCurve().correct(Rating())


def test_a_curve_goes_on_from_its_points() -> None:
    curve = RatingCurve(curve_of(1000))
    assert list(curve) == list(curve_of(1000))
    for number in range(900, 5000):
        curve.add(number, Rating(number / 10, 1 / number))
    assert len(curve) <= MOST_POINTS
    played = [point.game for point in curve]
    assert played == sorted(set(played))
    assert played[-1] == 4999
