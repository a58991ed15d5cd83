"""The boundary between chance and skill: when, how rarely wrong, and foretold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.statistics.estimates import PILOT, Block
from bourre_referee.statistics.stopping_boundary import (
    LEVEL,
    RATIO,
    Verdict,
    boundary,
    half_width,
    judge,
    judge_sums,
    ratio_for,
    sum_blocks,
)
from bourre_referee.statistics.undecided_pairs import blocks_needed

DIFFERENCES = st.lists(st.integers(-5000, 5000), min_size=PILOT, max_size=80)


def blocks(differences: Sequence[int]) -> list[Block]:
    return [Block(difference, 5) for difference in differences]


def interval_of(differences: Sequence[int], ratio: float = RATIO) -> tuple[float, float] | None:
    """The means that the boundary does not reject."""
    sums = sum_blocks(blocks(differences), ratio)
    half = sums and half_width(sums)
    return (sums.total / sums.blocks - half, sums.total / sums.blocks + half) if sums and half else None


def verdict(differences: Sequence[int], ratio: float) -> Verdict:
    """The verdict with this scale."""
    sums = sum_blocks(blocks(differences), ratio)
    return judge_sums(sums, LEVEL) if sums else Verdict.UNDECIDED


def normal(random: Random) -> int:
    return round(random.gauss(0, 1000))


def heavy(random: Random) -> int:
    """Often 0, sometimes very large, like the differences between bots that mostly play alike."""
    return 0 if random.random() < 0.5 else round(random.gauss(0, 1000) * random.paretovariate(2))


def test_the_formula_by_hand() -> None:
    """100 blocks of variance 1, r = 100, a = 5 %: sqrt(200 ln 800)."""
    assert boundary(100, 100) == pytest.approx(36.564, abs=1e-3)
    assert boundary(100, 100, LEVEL / 4) == pytest.approx(sqrt(200 * log(2 * 6400)))
    assert boundary(4 * 100, 4 * 100) == pytest.approx(2 * boundary(100, 100))


def test_the_scale_is_that_of_the_first_differences_that_are_not_0() -> None:
    known = sum_blocks(blocks([0, *[3, -3] * (PILOT // 2), 1000]))
    assert known
    assert known.scale == RATIO * 9
    assert (known.blocks, known.total, known.squares) == (PILOT + 2, 1000, 9 * PILOT + 1_000_000)


@pytest.mark.parametrize("differences", [[], [9] * (PILOT - 1), [9, -9] * 9, [0] * 1000])
def test_nothing_is_said_before_the_pilot_is_over(differences: list[int]) -> None:
    """Bots that have always done the same may still differ, by any amount."""
    assert judge(blocks(differences)) is Verdict.UNDECIDED
    assert blocks_needed(blocks(differences)) is None
    assert interval_of(differences) is None


def test_an_interval_without_an_end_is_none() -> None:
    """One difference that dwarfs all others: no mean, however distant, is rejected before there are more."""
    assert sum_blocks(blocks([5] * PILOT)) is not None
    assert interval_of([5] * PILOT) is not None
    assert interval_of([5] * PILOT + [100_000]) is None
    assert judge(blocks([5] * PILOT + [100_000])) is Verdict.UNDECIDED


def test_a_sure_thing_is_decided_soon_after_the_pilot_and_not_before() -> None:
    """n differences of 1 against sqrt((n + 100) ln((n + 100) / 0.25)): from the 29th on."""
    decided = [number for number in range(1, 60) if judge(blocks([1] * number)) is Verdict.FIRST]
    assert decided == list(range(29, 60))


def test_a_small_budget_is_decided_sooner_and_a_large_one_is_not_kept_waiting() -> None:
    """Differences of 3 and -1 in turn, at budgets of 60, 1,000 and 10,000 blocks."""
    found = []
    for budget in (60, 1000, 10_000):
        ratio, differences = ratio_for(budget), [3, -1] * 250
        decided = (n for n in range(1, 500) if verdict(differences[:n], ratio) is Verdict.FIRST)
        first = next(decided)
        low, high = interval_of(differences[:first], ratio) or (0.0, 0.0)
        assert 0 < low < 1 < high
        found.append(first)
    assert found == sorted(found)
    assert 2 * found[0] < found[2]
    assert ratio_for(1000) == RATIO


@given(DIFFERENCES)
def test_the_other_way_round_the_other_one_is_better(differences: list[int]) -> None:
    other = {Verdict.FIRST: Verdict.SECOND, Verdict.SECOND: Verdict.FIRST, Verdict.UNDECIDED: Verdict.UNDECIDED}
    turned = blocks([-difference for difference in differences])
    assert judge(turned) is other[judge(blocks(differences))]
    assert blocks_needed(turned) == blocks_needed(blocks(differences))


@given(DIFFERENCES, st.integers(1, 10**6))
def test_the_unit_does_not_matter(differences: list[int], unit: int) -> None:
    fine = blocks([unit * difference for difference in differences])
    assert judge(fine) is judge(blocks(differences))


@given(DIFFERENCES)
def test_0_is_outside_of_the_interval_where_there_is_a_verdict(differences: list[int]) -> None:
    interval = interval_of(differences)
    if interval:
        low, high = interval
        mean = sum(differences) / len(differences)
        assert low < mean < high or low == mean == high
        assert (low <= 0 <= high) == (judge(blocks(differences)) is Verdict.UNDECIDED)


@pytest.mark.parametrize("ratio", [RATIO, ratio_for(60)])
@pytest.mark.parametrize("difference", [normal, heavy])
def test_equal_bots_are_seldom_told_apart_however_often_one_looks(
    difference: Callable[[Random], int], ratio: float
) -> None:
    """200 pairs of equal bots, looked at after each of 1,000 blocks: wrong at most 5 times in 100."""
    random = Random(20)
    wrong = sum(first_decided([difference(random) for _ in range(1000)], ratio) is not None for _ in range(200))
    assert 0 < wrong <= 0.05 * 200


def first_decided(differences: Sequence[int], ratio: float = RATIO) -> int | None:
    """After how many of these blocks `verdict` first decides, in one pass."""
    pilot = [number for number in differences if number][:PILOT]
    scale = ratio * sum(number**2 for number in pilot) / PILOT
    totals, squares = accumulate(differences), accumulate(number**2 for number in differences)
    nonzero = accumulate(bool(number) for number in differences)
    looks = enumerate(zip(totals, squares, nonzero, strict=True), start=1)
    return next((n for n, (total, square, k) in looks if k >= PILOT and abs(total) >= boundary(square, scale)), None)


def test_one_pass_says_what_a_look_after_each_block_says() -> None:
    random = Random(3)
    samples = [[normal(random) + shift for _ in range(120)] for shift in (0, 200, 400, 600, 2000)]
    looked = [
        next((n for n in range(121) if judge(blocks(sample[:n])) is not Verdict.UNDECIDED), None) for sample in samples
    ]
    assert [first_decided(sample) for sample in samples] == looked
    assert None in looked
    assert len(set(looked)) > 2


def test_a_difference_is_found_after_about_as_many_blocks_as_were_foretold() -> None:
    """A third of a standard deviation: 100 blocks predict, on average, when it will be found."""
    random = Random(5)
    foretold, found = [], []
    for _ in range(100):
        sample = [round(random.gauss(300, 1000)) for _ in range(2000)]
        if (more := blocks_needed(blocks(sample[:100]))) is not None:
            foretold.append(100 + more)
        found.append(first_decided(sample) or len(sample))
    middle = sorted(foretold)[len(foretold) // 2], sorted(found)[50]
    assert len(foretold) > 90
    assert middle[0] == pytest.approx(middle[1], rel=0.3)


def test_what_is_foretold_is_reached_and_not_before() -> None:
    """Four repeating blocks; between them the sum is sometimes above, sometimes below its line."""
    known = [40, -20, 30, -10]
    more = blocks_needed(blocks(known * 10))
    assert more is not None
    assert more > 0
    times = -(-(40 + more) // 4)
    assert judge(blocks(known * times)) is Verdict.FIRST
    assert judge(blocks(known * (times - 1))) is Verdict.UNDECIDED
    assert blocks_needed(blocks(known * times)) == 0


def test_no_difference_needs_for_ever() -> None:
    assert blocks_needed(blocks([5, -5] * 50)) is None
