"""The field model of places: shares of the table, whoever sat there."""

from __future__ import annotations

from itertools import permutations
from math import inf, sqrt
from random import Random

import numpy as np
import pytest

from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.place_model import NO_PLACES, fit_places


def outcome(*bots: str, ranks: tuple[int, ...] = ()) -> Outcome:
    """A game of these bots, best first."""
    return Outcome("m", bots, ranks or tuple(range(1, len(bots) + 1)))


def test_an_effect_is_the_share_of_the_table_that_a_bot_beats() -> None:
    found = fit_places([outcome("a", "b", "c")] * 10)
    assert found.entrants == ("a", "b", "c")
    assert found.effects == pytest.approx([50.0, 0.0, -50.0])
    assert found.games.tolist() == [10, 10, 10]
    shared = fit_places([outcome("a", "b", "c", ranks=(1, 1, 3))] * 10)
    assert shared.effects == pytest.approx([25.0, 25.0, -50.0])


def test_a_bot_that_met_weak_bots_is_not_better_for_it() -> None:
    """b and d both lose half of their games, but d only ever met c, which loses to b."""
    games = [outcome("a", "b"), outcome("b", "c"), outcome("c", "d"), outcome("d", "c")]
    found = fit_places(games * 8)
    effects = dict(zip(found.entrants, found.effects.tolist(), strict=True))
    assert effects["a"] > effects["b"] > effects["c"] == pytest.approx(effects["d"])


def test_games_of_different_sizes_count_and_those_of_one_bot_do_not() -> None:
    """Where stand-ins played for others, fewer bots are left."""
    whole = [outcome(*line_up) for line_up in permutations("abc")]
    assert fit_places([*whole, outcome("a"), Outcome("m", (), ())]).games.tolist() == [6, 6, 6]
    more = fit_places([*whole, *[outcome("a", "b")] * 6])
    assert more.games.tolist() == [12, 12, 6]
    assert more.effects[0] > more.effects[2] > more.effects[1]
    assert fit_places([]).entrants == NO_PLACES.entrants == ()


def test_errors_are_those_of_fair_coins() -> None:
    dice = Random(1)
    games = [outcome(*("ab" if dice.random() < 0.5 else "ba")) for _ in range(2_000)]
    found = fit_places(games)
    assert found.errors[0, 1] == pytest.approx(100 / sqrt(2_000), rel=0.06)


def test_results_that_never_vary_are_uncertain_by_half_a_place() -> None:
    found = fit_places([outcome("a", "b")] * 12)
    assert found.errors[0, 1] == pytest.approx(50 / sqrt(12) * sqrt(2 / 12), rel=1e-6)


def test_a_part_has_the_order_that_was_asked_for_and_knows_nothing_of_strangers() -> None:
    found = fit_places([outcome(*line_up) for line_up in permutations("abc")] * 2)
    part = found.of(["c", "x", "a"])
    assert part.entrants == ("c", "x", "a")
    assert part.games.tolist() == [12, 0, 12]
    assert part.errors[0].tolist() == [inf, inf, found.errors[2, 0]]
    assert np.isinf(NO_PLACES.of(["x", "y"]).errors).all()
    assert NO_PLACES.of([]).games.tolist() == []
