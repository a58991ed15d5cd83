"""Ratings stop when little change remains, even in contests where every single step is small."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import rate, sweeps
from bourre_referee.ratings.convergence import (
    RESIDUAL_TOLERANCE,
    SAFETY_FACTOR,
    SWEEPS_PER_LEAP,
    StepExtrapolation,
    bound_errors,
    centre_moves,
    connected_components,
)
from tests.referee.matches import balanced, match


def numbered(results: Sequence[dict[str, int]]) -> list[MatchResult]:
    """Matches whose ranks follow these points."""
    return [match(balanced(points), name=f"m{number:04}") for number, points in enumerate(results, start=1)]


def table(bots: Sequence[str], luck: float, dice: Random) -> dict[str, int]:
    """A match in which each bot is five chips better than the one before it, plus chance."""
    return {bot: round(5 * place + dice.gauss(0, luck)) for place, bot in enumerate(bots)}


def chain(bots: int, seats: int, times: int) -> list[MatchResult]:
    """Tables of neighbours, each of which shares two bots with the next."""
    names, dice = [f"b{number:02}" for number in range(bots)], Random(1)
    starts = range(0, bots - seats + 1, seats - 2)
    return numbered([table(names[at : at + seats], 30, dice) for at in starts for _ in range(times)])


def clusters(times: int) -> list[MatchResult]:
    """Two groups of five that meet three times: what links them spreads slowly."""
    dice, groups = Random(1), (["a1", "a2", "a3", "a4", "a5"], ["c1", "c2", "c3", "c4", "c5"])
    within = [table(dice.sample(group, 4), 30, dice) for _ in range(times) for group in groups]
    return numbered([*within, {"a1": 3, "c1": -3}, {"a2": 3, "c2": -3}, {"a3": -3, "c3": 3}])


def pairs(bots: int) -> list[MatchResult]:
    """A ladder of duels."""
    dice = Random(1)
    return numbered([{f"b{at:02}": dice.choice([-1, 1]), f"b{at + 1:02}": 0} for at in range(bots) for _ in range(4)])


def apart(one: Sequence[MatchResult], two: Sequence[MatchResult]) -> list[MatchResult]:
    """Two contests of different bots in one list."""
    both = [("x", each) for each in one] + [("y", each) for each in two]
    return numbered([{f"{name}{seat.bot}": seat.chips for seat in each.seats} for name, each in both])


CONTESTS: dict[str, Callable[[], list[MatchResult]]] = {
    "chain of fours": lambda: chain(20, 4, 8),
    "chain of sixes": lambda: chain(26, 6, 6),
    "two clusters": lambda: clusters(30),
    "duels": lambda: pairs(12),
    "two contests": lambda: apart(chain(8, 4, 4), pairs(6)),
}


@pytest.mark.parametrize("contest", CONTESTS.values(), ids=list(CONTESTS))
def test_a_much_longer_run_moves_nobody_by_a_thousandth_of_its_sigma(
    contest: Callable[[], list[MatchResult]], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = contest()
    bots = sorted({seat.bot for each in results for seat in each.seats})
    found = rate(results, bots)
    monkeypatch.setattr(sweeps, "STEP_TOLERANCE", sweeps.STEP_TOLERANCE / 1000)
    monkeypatch.setattr(sweeps, "ERROR_TOLERANCE", sweeps.ERROR_TOLERANCE / 1000)
    longer = rate(results, bots)
    assert longer != found
    for bot in bots:
        assert abs(found[bot].mu - longer[bot].mu) < 1e-3 * longer[bot].sigma
        assert found[bot].sigma == pytest.approx(longer[bot].sigma, rel=1e-3)


def test_what_remains_is_the_balance_of_springs() -> None:
    """Anchors of 1, a spring of 10 between the first two and one of 2 between the others."""
    ways = bound_errors([1.0, 0.0, -1.0], 1.0, [(0, 1, 6.0), (1, 0, 4.0), (1, 2, 2.0)])
    solution = solve([[11, -10, 0], [-10, 13, -2], [0, -2, 3]], [1, 0, -1])
    assert ways == pytest.approx([SAFETY_FACTOR * abs(way) for way in solution], rel=3 * RESIDUAL_TOLERANCE)


def solve(rows: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's elimination."""
    lines = [[*map(float, row), value] for row, value in zip(rows, right, strict=True)]
    for place, line in enumerate(lines):
        line[:] = [value / line[place] for value in line]
        for other in lines:
            if other is not line:
                other[:] = [one - other[place] * value for one, value in zip(other, line, strict=True)]
    return [line[-1] for line in lines]


def test_where_nothing_moved_nothing_remains() -> None:
    assert bound_errors([0.0, 0.0], 1.0, [(0, 1, 1.0)]) == [0.0, 0.0]
    assert bound_errors([], 1.0, []) == []


def test_steps_that_shrink_evenly_and_slowly_are_added_up_at_once() -> None:
    extrapolation = StepExtrapolation()
    leaps = [extrapolation.leap([0.99**sweep, -(0.99**sweep)]) for sweep in range(SWEEPS_PER_LEAP + 1)]
    assert leaps[:-1] == [0.0] * SWEEPS_PER_LEAP
    assert leaps[-1] == pytest.approx(99)
    assert not extrapolation.allows_end
    assert not any(extrapolation.leap([1.0, -1.0]) for _ in range(SWEEPS_PER_LEAP))
    assert extrapolation.allows_end


@pytest.mark.parametrize(
    "step", [lambda sweep: [0.5**sweep, 0.0], lambda sweep: [1.0, sweep % 2 - 0.5], lambda _: [0.0]]
)
def test_steps_that_shrink_fast_or_turn_are_not_added_up(step: Callable[[int], list[float]]) -> None:
    extrapolation = StepExtrapolation()
    assert not any(extrapolation.leap(step(sweep)) for sweep in range(3 * SWEEPS_PER_LEAP))
    assert extrapolation.allows_end


def test_bots_are_connected_by_whom_they_met() -> None:
    assert connected_components(["ab", "cd", "ef", "da"]) == [["c", "d", "a", "b"], ["e", "f"]]
    assert connected_components([]) == []


def test_what_a_set_has_in_common_is_taken_off() -> None:
    assert centre_moves({"a": 1.0, "b": 3.0, "c": 5.0, "d": 7.0}, [["a", "b"], ["c"]]) == {
        "a": -1.0,
        "b": 1.0,
        "c": 0.0,
    }


@pytest.mark.parametrize("order", range(4))
def test_the_order_of_the_sweep_is_forgotten(order: int) -> None:
    """Bots that all met each other: their common mean creeps to 25, and until then no rating is quite right."""
    dice = Random(1)
    names = [f"b{number}" for number in range(8)]
    points = [table(dice.sample(names, 5), 20, dice) for _ in range(120)]
    one, other = rate(numbered(points), names), rate(numbered(Random(order).sample(points, len(points))), names)
    for bot in names:
        assert abs(one[bot].mu - other[bot].mu) < 1e-3 * one[bot].sigma
