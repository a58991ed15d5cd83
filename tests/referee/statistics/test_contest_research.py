"""The building blocks of the measurements in research/field-model.md: adaptive rounds and stand-ins in simulations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from adaptive_contests import STEPS, Cell, Look, looks_at
from field_contests import normal
from playings import LIMIT, play_session
from session_bank import BOTS, places_of
from simulated_matches import judge, manifest_of, names, pairs_apart, results_of

from bourre.rules.deck import master_seed
from bourre_referee.contest.schedule_section import ScheduleChoice
from examples.loose import Loose
from examples.random_bot import RandomBot
from examples.tight import Tight


def looks(truth: np.ndarray, adaptive: int) -> list[Look]:
    """The looks of a contest of two rounds."""
    play = normal(truth)(np.random.default_rng(5))
    return [*looks_at(manifest_of(ScheduleChoice(rounds=2, adaptive=adaptive)), play, bytes(32))]


def test_a_simulated_contest_is_looked_at_as_bourre_run_does() -> None:
    seen = looks(np.zeros(BOTS), 10)
    assert [look.rounds for look in seen] == [0, 4, 7, 10]
    assert seen[0].matches == 2 * BOTS
    assert all(later.matches > look.matches for look, later in pairwise(seen))
    assert [look.rounds for look in looks(1000 * STEPS, 10)] == [0]


def test_bots_that_are_told_apart_are_the_better_and_the_worse() -> None:
    verdict = looks(1000 * STEPS, 3)[-1].verdict
    assert list(verdict.effects) == list(reversed(names()))
    apart = {*pairs_apart(verdict.effects, verdict.brackets)}
    assert apart == {(one, other) for one in range(BOTS) for other in range(one)}
    cell = Cell("steps", 2, 3, normal(STEPS), STEPS, 2.0)
    assert (cell.power(verdict), cell.has_wrong(verdict)) == ((1.0, 1.0), False)
    assert Cell("turned", 2, 3, normal(-STEPS), -STEPS, 2.0).has_wrong(verdict)


def test_a_stand_in_plays_what_no_bot_decides() -> None:
    seed = master_seed(4)
    there, *absent = (
        play_session((bot, Tight, Tight), 20, LIMIT, seed, seats)
        for bot, seats in ((Loose, ()), (Loose, (0,)), (RandomBot, (0,)))
    )
    assert absent[0] == absent[1] != there


def test_matches_of_a_stand_in_are_not_those_of_its_bot() -> None:
    chips = np.array([[-400.0, 100, 100, 100, 100]] * 6 + [[100.0, -25, -25, -25, -25]] * 3)
    line_ups = np.array([[0, 1, 2, 3, 4]] * 9)
    results = [*results_of(line_ups, chips, absent=[(0,)] * 6 + [()] * 3)]
    assert sum(match.is_by_stand_in(seat) for match in results for seat in match.seats) == 6
    assert judge(results).effects["random"] > 50
    assert judge(results_of(line_ups, chips)).effects["random"] < -50


def test_line_ups_of_every_size_have_their_place() -> None:
    assert [*places_of(np.array([[0, 1, 2, 3], [4, 5, 6, 7]]), BOTS)] == [0, 69]
    assert [*places_of(np.array([[0, 1, 2, 3, 4], [3, 4, 5, 6, 7]]), BOTS)] == [0, 55]
