"""The games that would tell two neighbours apart: by the formula, and in simulated contests."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log, sqrt
from random import Random
from statistics import median

import pytest

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import BETA, SIGMA
from bourre_referee.statistics.games_needed import RatedBot, games_needed, told_apart
from bourre_referee.statistics.stopping_boundary import LEVEL
from tests.referee.matches import balanced, match

SKILLS = dict(zip("abcdef", (30, 28, 26, 24, 22, 20), strict=True))


def bot(mu: float, games: int, information: float = 0.02) -> RatedBot:
    """A bot of this mu, after games that added this precision each."""
    return RatedBot(Rating(mu, (SIGMA**-2 + games * information) ** -0.5), games)


def is_apart(difference: float, games: int) -> bool:
    """The boundary by hand, for two bots whose games added a precision of 0.02 each: 0.01 for both."""
    added = 1 / (2 / (SIGMA**-2 + 0.02 * games)) - 1 / (2 * SIGMA**2)
    scale = 100 * 0.01
    return abs(difference * added) >= sqrt((added + scale) * log((added + scale) / (scale * 0.05**2)))


@pytest.mark.parametrize("difference", [0.5, 2.0, -7.0])
def test_what_is_foretold_is_reached_and_not_before(difference: float) -> None:
    more = games_needed(bot(25 + difference, 40), bot(25, 40))
    assert more
    assert is_apart(difference, 40 + more)
    assert not is_apart(difference, 40 + more - 1)
    assert games_needed(bot(25 + difference, 40 + more), bot(25, 40 + more)) == 0
    assert games_needed(bot(25 + difference, 40 + more - 1), bot(25, 40 + more - 1)) == 1


def test_a_new_bot_beside_a_known_one_gains_most() -> None:
    """Of two that are as far apart, the pair of which one is known well needs fewer games."""
    both_new, one_new = games_needed(bot(27, 10), bot(25, 10)), games_needed(bot(27, 10), bot(25, 1000))
    assert both_new is not None
    assert one_new is not None
    assert one_new < both_new
    assert games_needed(bot(25, 1000), bot(27, 10)) == one_new


def test_an_anchor_is_known_from_the_start() -> None:
    """By hand: only the bot's 0.02 a game count, so its games are worth what two bots' games are at twice as many."""
    anchor = RatedBot(Rating(25, 2), 40, is_anchor=True)
    more = games_needed(bot(27, 40), anchor)
    assert more == games_needed(anchor, bot(27, 40))
    assert more is not None

    def is_told(games: int) -> bool:
        added, scale = 0.02 * games, 100 * 0.02
        return 2 * added >= sqrt((added + scale) * log((added + scale) / (scale * 0.05**2)))

    assert is_told(40 + more)
    assert not is_told(40 + more - 1)


def test_anchors_are_told_apart_by_their_mus() -> None:
    anchors = [RatedBot(Rating(mu, 1), 0, is_anchor=True) for mu in (25, 25, 25.5)]
    assert games_needed(anchors[0], anchors[2]) == 0
    assert games_needed(anchors[0], anchors[1]) is None


def test_a_smaller_level_takes_longer() -> None:
    usual, strict = (games_needed(bot(27, 50), bot(25, 50), level) for level in (LEVEL, LEVEL / 20))
    assert usual is not None
    assert strict is not None
    assert strict > usual


@pytest.mark.parametrize(
    "pair",
    [(bot(25, 9), bot(25, 9)), (bot(25, 0), bot(30, 9)), (bot(30, 9), RatedBot(Rating(25, SIGMA + 1), 9))],
    ids=["equal", "without games", "known less than before"],
)
def test_what_cannot_be_foretold(pair: tuple[RatedBot, RatedBot]) -> None:
    assert games_needed(*pair) is None


def test_who_looks_all_the_time_seldom_parts_equal_bots() -> None:
    """Two bots of equal skill, whose mus approach it as their sigmas say; the level of one look would part half."""
    dice, parted, runs, step = Random(1), 0, 100, 5
    for _ in range(runs):
        seen = [0.0, 0.0]
        for games in range(step, 400, step):
            seen = [total + dice.gauss(0, (step * 0.02) ** 0.5) for total in seen]
            one, other = (bot(25 + total / (SIGMA**-2 + games * 0.02), games) for total in seen)
            if games_needed(one, other) == 0:
                parted += 1
                break
    assert parted <= LEVEL * runs


def contest(matches: int, dice: Random) -> list[MatchResult]:
    """Matches of four of the bots, by the model."""
    found = []
    for number in range(matches):
        points = {bot: round(1000 * dice.gauss(SKILLS[bot], BETA)) for bot in dice.sample(sorted(SKILLS), 4)}
        found.append(match(balanced(points), name=f"m{number:05}"))
    return found


def rated(results: list[MatchResult]) -> list[RatedBot]:
    """The bots, by their true skill."""
    ratings, games = rate(results, list(SKILLS)), Counter(seat.bot for each in results for seat in each.seats)
    return [RatedBot(ratings[bot], games[bot]) for bot in SKILLS]


@pytest.mark.long
def test_neighbours_are_told_apart_after_about_as_many_games_as_were_foretold() -> None:
    """A hundred games foretell it for neighbours that are 2 apart, in the median of 15 pairs."""
    dice, foretold, found = Random(1), [], []
    for _ in range(3):
        results = contest(675, dice)
        states = [rated(results[:matches]) for matches in range(150, 676, 75)]
        for pair in range(len(SKILLS) - 1):
            more = games_needed(states[0][pair], states[0][pair + 1])
            foretold.append(100 + more if more is not None else 10**9)
            told = (games_needed(state[pair], state[pair + 1]) == 0 for state in states)
            apart = (100 + 50 * number for number, is_told in enumerate(told) if is_told)
            found.append(next(apart, 10**9))
    assert median(foretold) == pytest.approx(median(found), rel=0.4)
    assert 150 <= median(found) <= 400


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
