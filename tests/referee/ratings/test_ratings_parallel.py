"""Large contests are rated by NumPy; the plain code that rates small ones says what must come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, batch, rate
from bourre_referee.ratings.belief import MU, SIGMA, Gaussian
from bourre_referee.ratings.free_for_all import draw_margin, v_draw, v_win, w_draw, w_win
from bourre_referee.ratings.parallel_sweeps import MatchGroup, v_and_w_draw, v_and_w_win
from bourre_referee.ratings.tied import match_model
from tests.referee.matches import balanced, match
from tests.referee.ratings.test_ratings_convergence import CONTESTS

MARGIN = draw_margin(0.3)
PATTERNS = sorted(
    {
        tuple(sorted(1 + sum(other < own for other in points) for own in points))
        for seats in range(2, 7)
        for points in combinations_with_replacement(range(seats), seats)
    }
)
"""Every pattern of ranks of two to six players."""


SLOW = ("chain of sixes", "two clusters")
"""Those that take thousands of sweeps; shorter ones end in the same way."""


def mixed(matches: int) -> list[MatchResult]:
    """Tables of two to six of nine bots, with many ties."""
    dice, results = Random(2), []
    for number in range(matches):
        bots = dice.sample("abcdefghi", dice.randint(2, 6))
        results.append(match(balanced({bot: dice.randint(0, 3) for bot in bots}), name=f"m{number:04}"))
    return results


def both_ways(results: Sequence[MatchResult], monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Rating], ...]:
    """The ratings by the plain code, then by NumPy."""
    bots = sorted({seat.bot for each in results for seat in each.seats})
    monkeypatch.setattr(batch, "PARALLEL_FROM", len(results) + 1)
    plain = rate(results, bots)
    monkeypatch.setattr(batch, "PARALLEL_FROM", 0)
    return plain, rate(results, bots)


@pytest.mark.parametrize(
    "contest",
    [
        *(pytest.param(made, id=name, marks=[pytest.mark.long] * (name in SLOW)) for name, made in CONTESTS.items()),
        pytest.param(lambda: mixed(80), id="ties"),
        pytest.param(lambda: mixed(3), id="few"),
    ],
)
def test_both_ways_end_within_the_same_bound(
    contest: Callable[[], list[MatchResult]], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, parallel = both_ways(contest(), monkeypatch)
    assert parallel != plain
    for bot, rating in plain.items():
        assert abs(parallel[bot].mu - rating.mu) < 1e-3 * rating.sigma
        assert parallel[bot].sigma == pytest.approx(rating.sigma, rel=1e-3)


@pytest.mark.parametrize("ranks", PATTERNS, ids=str)
def test_one_match_of_a_group_says_what_it_says_alone(ranks: tuple[int, ...]) -> None:
    dice = Random(1)
    tables = [dice.sample(range(9), len(ranks)) for _ in range(4)]
    beliefs = [
        Gaussian(1 / sigma**2, mu / sigma**2)
        for mu, sigma in ((dice.gauss(25, 6), dice.uniform(1, 8)) for _ in range(9))
    ]
    group = MatchGroup(ranks, np.array(tables).T, MARGIN)
    group.pass_messages(np.array(beliefs).T)
    for number, table in enumerate(tables):
        model = match_model(ranks, MARGIN)
        expected = model.pass_messages([beliefs[bot] for bot in table])
        assert pytest.approx(np.array(expected), rel=1e-4, abs=1e-7) == group.messages[:, :, number].T


def test_couplings_are_those_of_the_single_matches() -> None:
    ranks, table = (1, 2, 2, 4), [5, 3, 1, 7]
    beliefs = [Gaussian(1 / SIGMA**2, MU / SIGMA**2)] * 8
    group = MatchGroup(ranks, np.array([table]).T, MARGIN)
    group.pass_messages(np.array(beliefs).T)
    model = match_model(ranks, MARGIN)
    model.pass_messages([beliefs[bot] for bot in table])
    found = [(int(one[0]), int(other[0]), float(precision[0])) for one, other, precision in group.couplings()]
    expected = [(table[one], table[other], precision) for one, other, precision in model.couplings()]
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    assert [pair[2] for pair in found] == pytest.approx([pair[2] for pair in expected])


def test_v_and_w_of_arrays_are_those_of_numbers() -> None:
    diffs = np.array([-300.0, -40.0, -5.3, -4.9, -1.0, 0.0, 0.5, 4.9, 5.3, 40.0, 300.0])
    for margin in (0.001, 0.74, 3.0):
        for arrays, v, w in ((v_and_w_win, v_win, w_win), (v_and_w_draw, v_draw, w_draw)):
            found = arrays(diffs, np.full_like(diffs, margin))
            assert found[0] == pytest.approx(np.array([v(diff, margin) for diff in diffs]), rel=1e-9, abs=1e-12)
            assert found[1] == pytest.approx(np.array([w(diff, margin) for diff in diffs]), rel=1e-9, abs=1e-12)


def test_names_move_no_published_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "PARALLEL_FROM", 0)
    results = mixed(12)
    names = dict(zip("abcdefghi", "hgiacfebd", strict=True))
    renamed = [match({names[seat.bot]: seat.chips for seat in each.seats}, name=each.match) for each in results]
    before, after = rate(results, "abcdefghi"), rate(renamed, "abcdefghi")
    for bot, rating in before.items():
        assert after[names[bot]].mu == pytest.approx(rating.mu, abs=1e-9)
