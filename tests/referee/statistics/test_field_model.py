"""The field model against a plain copy of its formulas, and its digits, which do not depend on the order of matches."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.statistics.field_model import FieldBlocks, FieldModel, fit
from bourre_referee.statistics.fixed_order import Floats, inverse_roots, invert, sums_of_cubes, sums_of_squares

FIELD = 7


def field(seed: int, sizes: Sequence[int] = (5,), matches: int = 30, bots: int = FIELD) -> list[FieldBlocks]:
    """Returns random matches at tables of each size, with skewed results."""
    random = np.random.default_rng(seed)
    return [
        FieldBlocks(
            np.array([random.permutation(bots)[:size] for _ in range(matches)]),
            random.standard_gamma(0.4, (matches, size)) * 100.0,
        )
        for size in sizes
    ]


def plain(tables: Sequence[FieldBlocks], bots: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Returns effects, variances, skewness and degrees of freedom by the textbook, with LAPACK."""
    blocks = [(line, chips) for table in tables for line, chips in zip(table.bots, table.chips, strict=True)]
    designs = []
    for line, _ in blocks:
        design = np.zeros((len(line), bots))
        for seat, bot in enumerate(line):
            design[seat, bot] += 1.0
        designs.append(design - design.mean(axis=0))
    inverse = np.linalg.pinv(np.sum([design.T @ design for design in designs], axis=0))
    effects = inverse @ np.sum([x.T @ y for x, (_, y) in zip(designs, blocks, strict=True)], axis=0)
    influence, lengths = [], []
    for design, (_, chips) in zip(designs, blocks, strict=True):
        values, vectors = np.linalg.eigh(np.eye(len(chips)) - design @ inverse @ design.T)
        factors = np.where(values > 1e-9, np.maximum(values, 1e-9) ** -0.5, 0.0)
        residuals = chips - chips.mean() - design @ effects
        influence.append(inverse @ design.T @ ((vectors * factors) @ (vectors.T @ residuals)))
        half = design @ inverse
        lengths.append(((half[:, :, None] - half[:, None, :]) ** 2).sum(axis=0))
    moved = np.array(influence)
    gaps = moved[:, :, None] - moved[:, None, :]
    variance, length = (gaps**2).sum(axis=0), np.array(lengths)
    with np.errstate(invalid="ignore"):
        skewness = (gaps**3).sum(axis=0) / variance**1.5
        freedom = length.sum(axis=0) ** 2 / (length**2).sum(axis=0) - 1.0
    return effects, variance, skewness, freedom


@pytest.mark.parametrize("sizes", [(2,), (5,), (3, 7), (8,)])
def test_the_model_is_that_of_the_textbook(sizes: tuple[int, ...]) -> None:
    bots = max(FIELD, *sizes)
    tables = field(1, sizes, bots=bots)
    found, (effects, variance, skewness, freedom) = fit(tables, bots), plain(tables, bots)
    pairs = ~np.eye(bots, dtype=bool)
    assert found.effects == pytest.approx(effects, abs=1e-9)
    assert (found.variance * found.scale**2)[pairs] == pytest.approx(variance[pairs], rel=1e-6)
    assert found.skewness[pairs] == pytest.approx(skewness[pairs], abs=1e-4)
    assert found.freedom[pairs] == pytest.approx(freedom[pairs], rel=1e-9)


def test_a_bot_may_have_two_seats() -> None:
    (table,) = field(2)
    table.bots[3, 0] = table.bots[3, 1]
    table.bots[9, 4] = table.bots[9, 2]
    found, (effects, variance, _, _) = fit([table], FIELD), plain([table], FIELD)
    pairs = ~np.eye(FIELD, dtype=bool)
    assert found.effects == pytest.approx(effects, abs=1e-9)
    assert (found.variance * found.scale**2)[pairs] == pytest.approx(variance[pairs], rel=1e-6)


def test_nothing_compares_bots_that_no_match_links_or_that_played_once() -> None:
    bots = np.array([[0, 1], [1, 0], [0, 1], [2, 3], [3, 2], [4, 0]])
    chips = np.array([[5.0, -5.0], [1.0, -1.0], [9.0, -9.0], [3.0, -3.0], [4.0, -4.0], [8.0, -8.0]])
    found = fit([FieldBlocks(bots, chips)], 6)
    known = {(int(one), int(other)) for one, other in zip(*np.nonzero(found.variance), strict=True)}
    assert known == {(0, 1), (1, 0), (2, 3), (3, 2)}
    assert found.blocks.tolist() == [4, 3, 2, 2, 1, 0]
    assert found.effects[:2].sum() + found.effects[4] == pytest.approx(0.0)
    assert found.effects[2:4].tolist() == [pytest.approx(-0.5), pytest.approx(0.5)]


def test_without_matches_all_are_equal() -> None:
    found = fit([], 3)
    assert found.effects.tolist() == [0.0, 0.0, 0.0]
    assert not found.variance.any()


def test_equal_results_keep_the_variance_within_their_step() -> None:
    bots, chips = np.array([[0, 1]] * 4), np.array([[3.0, -3.0]] * 4)
    assert fit([FieldBlocks(bots, chips)], 2).variance[0, 1] == 0.0
    found = fit([FieldBlocks(bots, chips)], 2, quantum=2.0)
    in_one_match = 2 * 2.0**2 / 12
    assert found.variance[0, 1] * found.scale**2 == pytest.approx(in_one_match / 4)


def parts_of(model: FieldModel) -> tuple[Floats, ...]:
    return model.effects, model.variance, model.skewness, model.freedom


def test_huge_results_do_not_overflow() -> None:
    small, huge = field(4), [FieldBlocks(table.bots, np.ldexp(table.chips, 900)) for table in field(4)]
    found = fit(huge, FIELD)
    assert np.array_equal(np.ldexp(found.effects, -900), fit(small, FIELD).effects)
    assert all(np.array_equal(*pair) for pair in zip(parts_of(found)[1:], parts_of(fit(small, FIELD))[1:], strict=True))


@given(st.integers(0, 10_000), st.integers(1, 8))
@settings(max_examples=20)
def test_roots_and_inverses_are_those_of_linear_algebra(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    halves = random.standard_normal((3, size, size))
    matrices = halves @ halves.swapaxes(1, 2) / (4.0 * size) + 0.01 * np.eye(size)
    roots = inverse_roots(matrices)
    assert np.allclose(roots @ matrices @ roots, np.eye(size), atol=1e-8)
    assert np.allclose(invert(matrices[0]) @ matrices[0], np.eye(size), atol=1e-8)


def test_a_direction_without_variance_is_dropped() -> None:
    matrix = np.array([[[0.5, -0.5], [-0.5, 0.5]]])
    assert np.allclose(inverse_roots(matrix)[0], [[0.5, -0.5], [-0.5, 0.5]])


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_sums_are_exact_in_any_order(seed: int) -> None:
    random = np.random.default_rng(seed)
    columns = random.standard_normal((200, 4)) * np.array([1.0, 1e3, 1e-2, 7.0])
    shuffled = columns[random.permutation(200)]
    gaps = columns[:, :, None] - columns[:, None, :]
    for sums, power in ((sums_of_squares, 2), (sums_of_cubes, 3)):
        assert np.array_equal(sums(columns), sums(shuffled))
        sizes = (np.abs(gaps) ** power).sum(axis=0)
        assert (np.abs(sums(columns) - (gaps**power).sum(axis=0)) <= 1e-4 * sizes).all()
