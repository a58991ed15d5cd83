"""Ratings of bots that tie do not depend on their names or on the order in which they are listed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import Gaussian
from bourre_referee.ratings.free_for_all import FreeForAll, draw_margin
from bourre_referee.ratings.in_order import rate_in_order
from bourre_referee.ratings.tied import TiedMatch, match_model
from tests.referee.matches import BOTS, balanced, match

Rate = Callable[[Sequence[MatchResult], Sequence[str]], Mapping[str, Rating]]

both = pytest.mark.parametrize("rating", [rate, rate_in_order], ids=["all at once", "in order"])
MARGIN = draw_margin(0.3)


@st.composite
def contests(draw: st.DrawFn) -> list[MatchResult]:
    """Matches of few different points, so that most of them have ties, of two to five bots."""
    found = []
    for number in range(draw(st.integers(1, 5))):
        bots = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=5, unique=True))
        points = draw(st.lists(st.integers(0, 2), min_size=len(bots), max_size=len(bots)))
        found.append(match(balanced(dict(zip(bots, points, strict=True))), name=f"m{number:04}"))
    return found


def renamed(results: Sequence[MatchResult], names: Mapping[str, str]) -> list[MatchResult]:
    """The same results under other names."""
    return [replace(one, seats=tuple(replace(seat, bot=names[seat.bot]) for seat in one.seats)) for one in results]


@both
@given(contests(), st.permutations(BOTS))
@settings(max_examples=40)
def test_other_names_change_nothing_but_names(rating: Rate, results: list[MatchResult], others: list[str]) -> None:
    names = dict(zip(BOTS, others, strict=True))
    before, after = rating(results, BOTS), rating(renamed(results, names), BOTS)
    assert {names[bot]: before[bot] for bot in BOTS} == after


@both
@given(contests(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_the_seats_changes_nothing(rating: Rate, results: list[MatchResult], dice: Random) -> None:
    moved = [replace(one, seats=tuple(dice.sample(one.seats, len(one.seats)))) for one in results]
    assert rating(moved, BOTS) == rating(results, BOTS)


@both
def test_clones_that_always_tie_are_rated_alike(rating: Rate) -> None:
    """Whatever key orders tied bots, those at the ends of the chain would be less certain than those within."""
    clones = dict.fromkeys(BOTS, 0)
    results = [
        match(balanced({**clones, "fay": -5}), name="m0001"),
        match(clones, name="m0002"),
        match(clones, name="m0003"),
    ]
    found = rating(results, [*BOTS, "fay"])
    assert len({found[bot] for bot in BOTS}) == 1
    assert found["ada"].mu > 25 > found["fay"].mu


@both
def test_swapping_two_clones_moves_nobody(rating: Rate) -> None:
    """They share a table with bots that they beat, lose to and tie with, so that the order of neighbours matters."""
    weak, strong = dict.fromkeys(("bob", "cy"), -4), {"eve": 8}
    results = [match({"ada": 0, "dee": 0, **weak, **strong}, name=f"m{number:04}") for number in range(5)]
    results.append(match({"eve": 1, "bob": -1}, name="m0009"))
    found = rating(results, BOTS)
    assert found["ada"] == found["dee"]
    swapped = {**dict(zip(BOTS, BOTS, strict=True)), "ada": "eve", "eve": "ada"}
    again = rating(renamed(results, swapped), BOTS)
    assert again["ada"] == found["eve"]
    assert again["eve"] == again["dee"] == found["dee"]


def players(count: int, seed: int) -> list[Gaussian]:
    """Bots with different prior ratings."""
    dice = Random(seed)
    known = [(dice.uniform(18, 32), dice.uniform(1, 8)) for _ in range(count)]
    return [Gaussian(1 / sigma**2, mu / sigma**2) for mu, sigma in known]


GROUPS = [
    (1, 1),
    (1, 1, 1),
    (1, 1, 1, 1),
    (1, 1, 3),
    (1, 2, 2),
    (1, 2, 2, 2),
    (1, 1, 3, 3),
    (1, 1, 3, 4, 4),
    (1, 1, 1, 4, 4),
]


def orders(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """The players by place, in all orders that these ranks allow."""
    return [order for order in permutations(range(len(ranks))) if [ranks[place] for place in order] == list(ranks)]


@pytest.mark.parametrize("ranks", GROUPS)
def test_in_whatever_order_the_tied_are_listed_each_is_told_the_same_to_the_last_bit(ranks: tuple[int, ...]) -> None:
    known = players(len(ranks), seed=1)
    told = match_model(ranks, MARGIN).pass_messages(known)
    for order in orders(ranks):
        assert match_model(ranks, MARGIN).pass_messages([known[place] for place in order]) == [told[p] for p in order]


def beliefs(known: Sequence[Gaussian], told: Sequence[Gaussian]) -> list[tuple[float, float]]:
    """Mu and sigma after the match."""
    after = [one.multiply(other) for one, other in zip(known, told, strict=True)]
    return [(one.mu, one.pi**-0.5) for one in after]


@pytest.mark.parametrize("ranks", [(1, 2), (1, 1), (1, 2, 3), (1, 2, 3, 4, 5, 6, 7, 8)])
def test_strict_orders_and_two_who_tie_are_rated_as_ever(ranks: tuple[int, ...]) -> None:
    known = players(len(ranks), seed=2)
    chain, ours = (one.pass_messages(known) for one in (FreeForAll(ranks, MARGIN), TiedMatch(ranks, MARGIN)))
    assert isinstance(match_model(ranks, MARGIN), FreeForAll)
    for one, other in zip(beliefs(known, ours), beliefs(known, chain), strict=True):
        assert one == pytest.approx(other, abs=1e-4)


@pytest.mark.parametrize("ranks", [ranks for ranks in GROUPS if ranks.count(1) < 4])
def test_a_match_with_ties_tells_the_mean_of_all_orders(ranks: tuple[int, ...]) -> None:
    """The mean over chains in every order: exact, up to convergence, while a group has at most three."""
    known = players(len(ranks), seed=3)
    told: list[list[Gaussian]] = [[] for _ in ranks]
    for order in orders(ranks):
        chain = FreeForAll(ranks, MARGIN).pass_messages([known[place] for place in order])
        for place, message in zip(order, chain, strict=True):
            told[place].append(message)
    mean = [Gaussian(fmean(one.pi for one in each), fmean(one.tau for one in each)) for each in told]
    ours = TiedMatch(ranks, MARGIN).pass_messages(known)
    for one, (mu, sigma) in zip(beliefs(known, ours), beliefs(known, mean), strict=True):
        assert abs(one[0] - mu) < 0.02 * sigma
        assert one[1] == pytest.approx(sigma, rel=0.01)


def test_eight_clones_get_what_a_chain_tells_on_average() -> None:
    known = [Gaussian(1 / 64, 25 / 64)] * 8
    sigmas = [sigma for _, sigma in beliefs(known, FreeForAll([1] * 8, MARGIN).pass_messages(known))]
    for mu, sigma in beliefs(known, TiedMatch([1] * 8, MARGIN).pass_messages(known)):
        assert mu == pytest.approx(25)
        assert sigma == pytest.approx(fmean(sigmas), rel=0.005)
