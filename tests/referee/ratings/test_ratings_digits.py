"""Ratings to more digits than the standings show: every version verifies a published run to its last digit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bourre_referee.ratings import Rating, batch, rate, sweeps
from bourre_referee.ratings.belief import Gaussian
from bourre_referee.ratings.free_for_all import MAX_PASSES, FreeForAll, draw_margin
from bourre_referee.ratings.in_order import rate_in_order
from tests.referee.matches import BOTS, match

AT_ONCE_AT_REST = (
    [{"ada": -1, "bob": 2, "eve": -1}, {"dee": 1, "ada": -1}],
    {
        "ada": (19.77638198, 5.49703832),
        "bob": (29.90244335, 6.71328875),
        "cy": (25.0, 8.33333333),
        "dee": (29.58327234, 6.90989857),
        "eve": (20.73790232, 5.8301412),
    },
)
"""Five sweeps, two more than the minimum."""

LONG_UNDER_WAY = (
    [
        {"ada": 9, "bob": -4, "cy": -5},
        {"bob": 0, "dee": 0, "cy": 0},
        {"cy": 1, "eve": 1, "dee": -2},
        {"eve": 5, "ada": -5},
        {"eve": 3, "dee": 2, "cy": -1, "bob": -2, "ada": -2},
    ],
    {
        "ada": (23.33432581, 3.50709577),
        "bob": (21.80981946, 3.10686846),
        "cy": (23.31169026, 2.81786385),
        "dee": (24.56822967, 3.22805081),
        "eve": (31.97593479, 3.6724841),
    },
)
"""Seven sweeps: one more or less moves the fourth decimal."""


def rated(chips: list[dict[str, int]]) -> dict[str, Rating]:
    """The ratings after matches with these chips, one after the other."""
    return rate([match(each, name=f"m{number:04}") for number, each in enumerate(chips, start=1)], BOTS)


WITHOUT_TIES = (
    [
        {"ada": 9, "bob": -4, "cy": -5},
        {"cy": 3, "eve": 1, "dee": -4},
        {"eve": 3, "dee": 2, "cy": 0, "bob": -1, "ada": -4},
        {"bob": 7, "dee": -7},
    ],
    {
        "ada": (23.74908475, 4.08488732),
        "bob": (24.59868805, 3.50101034),
        "cy": (25.10608487, 3.42753934),
        "dee": (23.14137742, 3.6902564),
        "eve": (28.40476491, 4.12150781),
    },
)
"""Six sweeps."""


@pytest.mark.parametrize(
    ("chips", "expected"), [AT_ONCE_AT_REST, LONG_UNDER_WAY, WITHOUT_TIES], ids=["at once", "long", "strict"]
)
def test_the_same_results_are_rated_as_ever(
    chips: list[dict[str, int]], expected: dict[str, tuple[float, float]]
) -> None:
    """Where a rating ends depends on the order of its sweeps and passes, and on when they stop."""
    found = {bot: (rating.mu, rating.sigma) for bot, rating in rated(chips).items()}
    assert found == {bot: pytest.approx(numbers, abs=1e-7) for bot, numbers in expected.items()}


IN_PARALLEL = {
    "ada": (21.37895095, 3.39781164),
    "bob": (19.91810355, 3.07303501),
    "cy": (21.14780687, 2.72415993),
    "dee": (22.445097, 3.11723506),
    "eve": (28, 1),
}
ONE_PASS = {
    "ada": (20.68003569, 3.71081647),
    "bob": (19.64323213, 3.62395731),
    "cy": (23.23911124, 3.09969734),
    "dee": (23.59162239, 3.43790735),
    "eve": (28, 1),
}


def test_large_contests_and_one_pass_are_rated_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both with an anchor; one pass with drift too."""
    chips, anchors = LONG_UNDER_WAY[0], {"eve": Rating(28, 1)}
    results = [match(each, name=f"m{number:04}") for number, each in enumerate(chips, start=1)]
    in_order = rate_in_order(results, BOTS, tau=0.5, anchors=anchors)
    monkeypatch.setattr(batch, "PARALLEL_FROM", len(results))
    parallel = rate(results, BOTS, anchors=anchors)
    for found, known in ((parallel, IN_PARALLEL), (in_order, ONE_PASS)):
        told = {bot: (rating.mu, rating.sigma) for bot, rating in found.items()}
        assert told == {bot: pytest.approx(numbers, abs=1e-7) for bot, numbers in known.items()}


@pytest.mark.parametrize(("most", "rests"), [(6, False), (7, True)])
def test_sweeps_end_without_rest_when_there_were_enough(
    monkeypatch: pytest.MonkeyPatch, most: int, rests: bool
) -> None:
    chips, _ = LONG_UNDER_WAY
    at_rest = rated(chips)
    monkeypatch.setattr(sweeps, "MAX_SWEEPS", most)
    assert (rated(chips) == at_rest) is rests


def told(players: Sequence[Gaussian], passes: int) -> list[Gaussian]:
    """The evidence of a match without ties on these players, best first."""
    return FreeForAll(range(len(players)), draw_margin(0.1)).pass_messages(players, passes)


NEW = Gaussian(1 / 64, 25 / 64)


@pytest.mark.parametrize("end", [0, -1], ids=["best", "last"])
def test_one_pass_tells_either_end_of_a_ranking_of_the_other(end: int) -> None:
    players = [NEW] * 6
    players[end] = Gaussian(1 / 4, 30 / 4)
    assert told(players, passes=1)[-1 - end] != told([NEW] * 6, passes=1)[-1 - end]


def test_passes_end_when_they_change_next_to_nothing() -> None:
    """The fifth does: a sixth would still move the last digits."""
    fourth, fifth, all_of_them = (told([NEW] * 6, passes) for passes in (4, 5, MAX_PASSES))
    assert fourth != fifth == all_of_them


def test_without_matches_there_is_nothing_to_sweep() -> None:
    assert rate([], []) == {}
