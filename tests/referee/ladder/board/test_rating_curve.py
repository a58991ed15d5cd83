"""A rating curve covers all games in bounded memory, and always ends at the last."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bourre_referee.ladder.board.live_ratings import MOST_POINTS, CurvePoint, RatingCurve
from bourre_referee.ratings import Rating


def curve_of(games: int) -> RatingCurve:
    """A curve whose ratings tell the game."""
    curve = RatingCurve()
    for game in range(1, games + 1):
        curve.add(game, Rating(game / 10, 1 / game))
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
    for game in range(900, 5000):
        curve.add(game, Rating(game / 10, 1 / game))
    assert len(curve) <= MOST_POINTS
    played = [point.game for point in curve]
    assert played == sorted(set(played))
    assert played[-1] == 4999
