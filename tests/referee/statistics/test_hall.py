"""Hall's correction of t: by hand, its symmetry, that it never adds certainty, and its inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.statistics.hall import hall, inverse_hall

SKEWNESS = st.floats(-1, 1)
T = st.floats(0.01, 50)


def test_the_formula_by_hand() -> None:
    """2 - 0.3 * 4 / 3 + 0.09 * 8 / 27 - 0.05."""
    assert hall(2, -0.3) == pytest.approx(1.576667, abs=1e-6)
    assert hall(2, 0.3) == 2  # the correction would make it larger
    assert hall(2, 0) == 2
    assert hall(0.1, -0.9) == 0  # the correction turns its sign


@given(T, SKEWNESS)
def test_it_is_never_larger_and_turns_with_its_sides(t: float, skewness: float) -> None:
    assert 0 <= hall(t, skewness) <= t
    assert hall(-t, -skewness) == -hall(t, skewness)


@given(T, SKEWNESS)
def test_the_inverse_is_where_it_reaches_t(t: float, skewness: float) -> None:
    least = inverse_hall(t, skewness)
    assert least >= t
    assert hall(least, skewness) == pytest.approx(t, rel=1e-6)
    assert hall(0.99 * least, skewness) <= t


def test_a_tiny_skewness_changes_hardly_anything() -> None:
    assert inverse_hall(3, -1e-14) == pytest.approx(3, rel=1e-12)
    assert inverse_hall(3, 0) == 3
