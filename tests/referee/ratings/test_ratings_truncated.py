"""The functions V and W, compared with numerical integration."""

from collections.abc import Callable
from math import exp

import pytest
import trueskill

from bourre_referee.ratings.free_for_all import cdf, quantile, v_draw, v_win, w_draw, w_win

MARGINS = [0.001, 0.1, 0.74, 3.0]
DIFFS = [-300.0, -40.0, -12.0, -5.3, -4.9, -1.0, 0.0, 0.5, 4.9, 5.3, 12.0, 40.0, 300.0]


def integrated(low: float, high: float) -> tuple[float, float]:
    """Mean, and 1 minus the variance, of the standard normal distribution between low and high; Simpson's rule."""
    top = min(max(low, 0.0), high)  # where the density is largest
    reach = 40 / max(4.0, abs(top))
    low, high = max(low, top - reach), min(high, top + reach)
    steps = 4000
    points = [low + (high - low) * step / steps for step in range(steps + 1)]
    weights = [
        (1 if step in (0, steps) else 2 + 2 * (step % 2)) * exp((top * top - x * x) / 2)
        for step, x in enumerate(points)
    ]
    total = sum(weights)
    mean = sum(weight * x for weight, x in zip(weights, points, strict=True)) / total
    return mean, 1 - sum(weight * (x - mean) ** 2 for weight, x in zip(weights, points, strict=True)) / total


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("diff", DIFFS)
def test_a_win(diff: float, margin: float) -> None:
    mean, share = integrated(margin - diff, 1e9)
    assert v_win(diff, margin) == pytest.approx(mean, rel=1e-6, abs=1e-12)
    assert w_win(diff, margin) == pytest.approx(share, abs=1e-7)
    assert 0 <= w_win(diff, margin) < 1


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("diff", DIFFS)
def test_a_draw(diff: float, margin: float) -> None:
    mean, share = integrated(-margin - diff, margin - diff)
    assert v_draw(diff, margin) == pytest.approx(mean, rel=1e-6, abs=1e-6)
    assert w_draw(diff, margin) == pytest.approx(share, abs=1e-6)
    assert 0 <= w_draw(diff, margin) < 1


@pytest.mark.parametrize("ours", [v_win, w_win, v_draw, w_draw])
@pytest.mark.parametrize("diff", [-4.0, -1.5, 0.0, 0.3, 2.0, 4.0])
def test_the_package_agrees_where_it_can(ours: Callable[[float, float], float], diff: float) -> None:
    theirs = getattr(trueskill.TrueSkill(), ours.__name__)
    assert ours(diff, 0.74) == pytest.approx(theirs(diff, 0.74), abs=1e-5)


@pytest.mark.parametrize("diff", [-4000.0, -40.0, 40.0, 4000.0])
def test_where_the_package_gives_up(diff: float) -> None:
    with pytest.raises(FloatingPointError):
        trueskill.TrueSkill().w_win(diff, 0.74)
    assert 0 <= w_win(diff, 0.74) < 1


@pytest.mark.parametrize("share", [w_win, w_draw])
@pytest.mark.parametrize("margin", [1e-9, 0.74, 1e4])
def test_some_variance_is_always_left(share: Callable[[float, float], float], margin: float) -> None:
    for diff in (0.0, 1.0, -1e3, 1e5, -1e6, 1e8, -1e9):
        assert 0 <= share(diff, margin) < 1


def test_quantile_and_mass_are_inverse() -> None:
    assert quantile(0.975) == pytest.approx(1.959963984540054)
    for probability in (1e-9, 0.01, 0.5, 0.9995):
        assert cdf(quantile(probability)) == pytest.approx(probability)
