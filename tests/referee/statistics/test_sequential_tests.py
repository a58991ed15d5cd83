"""Tests of a ladder's ranking that may be repeated after every game."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.place_model import NO_PLACES, PlaceModel, fit_places
from bourre_referee.statistics.sequential_tests import FEWEST_GAMES, SequentialVerdict, judge_ranking
from bourre_referee.statistics.stopping_boundary import boundary

NOISE = 40.0
"""How far one game is from the effect, in points."""


def model(effects: dict[str, float], games: dict[str, int] | int = 1_000) -> PlaceModel:
    """Entrants with these effects and games, whose errors are those of independent games."""
    played = np.array([games if isinstance(games, int) else games[bot] for bot in effects])
    errors = NOISE * np.sqrt(1 / played[:, None] + 1 / played)
    return PlaceModel(tuple(effects), np.array(list(effects.values())), errors, played)


def judged(effects: dict[str, float], games: dict[str, int] | int = 1_000, ranking: str = "") -> SequentialVerdict:
    """The verdict on this ranking; without one, on the order of the effects as they are written."""
    return judge_ranking(model(effects, games), [*ranking] or [*effects])


def test_two_are_apart_once_the_stopping_boundary_says_so() -> None:
    """With V = 1 / error squared, and r the V of a hundred games of both."""
    for games, effect in ((20, 60.0), (100, 20.0), (100, 25.0), (1_000, 7.0), (1_000, 9.0)):
        added = games / (2 * NOISE**2)
        expected = effect * added >= boundary(added, 100 / (2 * NOISE**2), 0.05)
        found = judged({"a": effect, "b": 0.0}, games)
        assert found.brackets == (() if expected else (("a", "b"),)), (games, effect)
        assert (found.games_to_part["a"] == 0) == expected


def test_the_level_is_divided_among_all_pairs_of_the_board() -> None:
    effects = {"a": 7.0, "b": 0.0}
    assert judged(effects).brackets == ()
    assert judged(effects | {bot: -100.0 - place for place, bot in enumerate("cdefgh")}).brackets[0] == ("a", "b")


def test_as_many_games_as_were_predicted_part_two() -> None:
    effects = {"a": 5.0, "b": 0.0, "c": -100.0}
    for games in ({"a": 200, "b": 200, "c": 200}, {"a": 900, "b": 240, "c": 300}):
        more = judged(effects, games).games_to_part["a"]
        assert more
        later, before = ({bot: played + added for bot, played in games.items()} for added in (more, more - 1))
        assert judged(effects, later).games_to_part == {"a": 0, "b": 0}
        assert judged(effects, before).games_to_part["a"] == 1


def test_a_pair_is_apart_only_if_each_pair_that_spans_it_is() -> None:
    """c leads d by far, but d's equal b stands above c by its score."""
    effects = {"a": 60.0, "b": 0.0, "c": 30.0, "d": 0.0, "e": -60.0}
    found = judged(effects)
    assert found.brackets == (("b", "c", "d"),)
    assert found.games_to_part == {"a": 0, "b": None, "c": None, "d": 0}
    assert judged(effects, ranking="acbde").brackets == (("b", "d"),)


def test_a_pair_whose_effects_contradict_the_ranking_is_tied() -> None:
    found = judged({"a": 0.0, "b": 60.0, "c": -60.0})
    assert found.brackets == (("a", "b"),)
    assert found.games_to_part == {"a": None, "b": 0}


def test_neighbours_are_parted_with_the_last_pair_that_spans_them() -> None:
    effects = {"a": 11.0, "b": 10.0, "c": 1.0, "d": 0.0}
    found = judged(effects, 300)
    assert found.brackets == (("a", "b", "c", "d"),)
    spanning = [
        judged({one: effects[one], other: effects[other], "x": 900.0, "y": -900.0}, 300, f"x{one}{other}y")
        for one in "ab"
        for other in "cd"
    ]
    worst = max(each.games_to_part[bot] or 0 for each in spanning for bot in "ab" if bot in each.games_to_part)
    assert found.games_to_part["b"] == worst


def test_newcomers_stand_outside_until_they_have_a_quarter_of_the_usual_games() -> None:
    effects = {"a": 50.0, "b": 20.0, "new": -5.0, "c": -50.0}
    games = {"a": 1_000, "b": 1_000, "new": 249, "c": 1_000}
    ranking = ["a", "b", "c", "new"]
    found = judge_ranking(model(effects, games), ranking)
    assert (found.brackets, found.too_few) == ((), ("new",))
    assert found.games_to_part == {"a": 0, "b": 0}
    assert judge_ranking(model(effects, games), ["a", "b", "new", "c"]).games_to_part == {"a": 0}
    tested = judge_ranking(model(effects, games | {"new": 250}), ["a", "b", "new", "c"])
    assert (tested.brackets, tested.too_few) == ((), ())


@pytest.mark.parametrize("bots", [[], ["a"], ["a", "b"]], ids=len)
def test_without_games_there_are_too_few_for_everyone(bots: list[str]) -> None:
    assert judge_ranking(NO_PLACES, bots) == SequentialVerdict((), tuple(bots), {})
    assert judged({"a": 90.0, "b": 0.0}, FEWEST_GAMES - 1).too_few == ("a", "b")


def test_bots_that_nothing_links_are_tied() -> None:
    games = [Outcome("m", tuple(dice.sample(pair, 2)), (1, 2)) for dice in [Random(2)] for pair in ("ab", "cd") * 40]
    found = judge_ranking(fit_places(games), "acbd")
    assert found.brackets == (("a", "c", "b", "d"),)
    assert set(found.games_to_part.values()) == {None}


def test_equal_bots_are_seldom_told_apart_however_often_one_looks() -> None:
    """One bot leaves and another comes late. Intervals for one pair and one look would part most of them."""
    parted = usual = 0
    for seed in range(20):
        dice, games = Random(seed), list[Outcome]()
        for number in range(300):
            present = "abcdefgh" if number < 100 else "abcdefg" if number < 200 else "abcdefgi"
            games.append(Outcome(f"m{number}", tuple(dice.sample(present, 5)), (1, 2, 3, 4, 5)))
        models = [fit_places(games[:end]) for end in range(20, 301, 20)]
        parted += any(len(judge_ranking(each, bots).brackets) != 1 for each in models for bots in (each.entrants,))
        usual += any(
            abs(each.effects[one] - each.effects[other]) > 1.96 * each.errors[one, other]
            for each in models
            for one, other in combinations(range(len(each.entrants)), 2)
        )
    assert parted <= 1
    assert usual > 15


def test_real_differences_are_told_apart() -> None:
    """Six bots of evenly spaced skills, as TrueSkill models them."""
    dice, skills = Random(5), dict(zip("abcdef", range(10, -2, -2), strict=True))
    games = [
        Outcome("m", tuple(sorted(dice.sample("abcdef", 3), key=lambda bot: -dice.gauss(skills[bot], 4.2))), (1, 2, 3))
        for _ in range(4_000)
    ]
    found = judge_ranking(fit_places(games), "abcdef")
    assert found.brackets == ()
    assert set(found.games_to_part.values()) == {0}
    half = judge_ranking(fit_places(games[:150]), "abcdef")
    assert half.brackets
    assert any(half.games_to_part.values())
