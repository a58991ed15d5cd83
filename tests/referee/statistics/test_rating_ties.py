"""Which bots ratings tell apart: for all pairs at once, as `games_needed` says of each pair."""

from __future__ import annotations

from itertools import product
from random import Random

from bourre_referee.ratings import Rating
from bourre_referee.ratings.belief import SIGMA
from bourre_referee.statistics.games_needed import RatedBot, games_needed, told_apart
from bourre_referee.statistics.stopping_boundary import LEVEL


def bots() -> list[RatedBot]:
    """Bots of many ratings; some did not play, some are known less than before, some are anchors."""
    dice = Random(1)
    found = [
        RatedBot(Rating(dice.gauss(25, 4), (SIGMA**-2 + 0.02 * games) ** -0.5), games)
        for games in (0, 1, 5, 20, 80, 300, 1000, 3000)
        for _ in range(4)
    ]
    found += [RatedBot(Rating(31, SIGMA + 1), 9), RatedBot(Rating(31, SIGMA), 9), RatedBot(Rating(19, 2), 0)]
    found += [RatedBot(Rating(20, SIGMA + 1), 1), RatedBot(Rating(200, 2), 3000)]
    return found + [RatedBot(Rating(mu, sigma), 50, is_anchor=True) for mu, sigma in ((20, 1), (25, 0), (25, 2))]


def test_every_pair_is_told_apart_exactly_if_it_needs_no_more_games() -> None:
    every = bots()
    for level in (LEVEL, LEVEL / 1000):
        apart = told_apart(every, level)
        expected = [games_needed(one, other, level) == 0 for one, other in product(every, every)]
        assert [apart[i][j] for i, j in product(range(len(every)), repeat=2)] == expected
        assert 0.1 < sum(expected) / len(expected) < 0.9


def test_no_bots_and_one() -> None:
    assert told_apart([]) == []
    assert told_apart([RatedBot(Rating(25, 2), 30)]) == [[False]]
