"""The statistics of large contests by NumPy: every figure as in plain Python."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.statistics import bootstrap, luce_arrays, luce_model
from bourre_referee.statistics.bootstrap import bootstrap_ranking, plain_resamples
from bourre_referee.statistics.chip_dumping import find_dumping, sample_places
from bourre_referee.statistics.chip_flow import Flow
from bourre_referee.statistics.luce_model import luce_weights, luce_weights_by_payer
from bourre_referee.statistics.pair_findings import PairFlow
from bourre_referee.statistics.ranking import DECIMALS
from bourre_referee.statistics.resample_arrays import array_resamples
from bourre_referee.statistics.table_blocks import TableBlock

BOTS = tuple(f"bot-{number}" for number in range(9))
IDLE = "bot that never played"


def flows(rng: Random, number: int) -> list[Flow]:
    """Blocks at tables of two to four; the last bot takes nothing, the first pays nothing."""
    made = []
    for _ in range(number):
        bots = tuple(rng.sample(BOTS, rng.randint(2, 4)))
        chips = tuple(
            tuple((one != BOTS[0]) * (other != BOTS[-1]) * rng.expovariate(1) for other in bots) for one in bots
        )
        made.append(Flow(bots, 10, chips))
    return made


def blocks(rng: Random, number: int, chips: int) -> list[TableBlock]:
    """Blocks of three, often equal; some bots sit in few of them."""
    return [
        TableBlock(tuple(rng.sample(BOTS, 3)), tuple(rng.randint(-chips, chips) for _ in range(3)), rng.randint(1, 3))
        for _ in range(number)
    ]


@pytest.mark.parametrize("cells", [1, 200, 10**6])
def test_weights_of_all_payers_are_those_of_each(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luce_arrays, "CELLS", cells)
    known, bots = flows(Random(1), 200), (*BOTS, IDLE)
    assert len(known) * len(bots) >= luce_model.PARALLEL_FROM
    found = luce_weights_by_payer(known, bots)
    assert list(found) == list(bots)
    for payer, weights in found.items():
        assert weights == pytest.approx(luce_weights(payer, known, bots), rel=1e-12), payer


def test_pairs_are_judged_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    known = flows(Random(2), 200)
    found = find_dumping(known, BOTS)
    monkeypatch.setattr(luce_model, "PARALLEL_FROM", 10**9)
    assert list(map(published, found)) == list(map(published, find_dumping(known, BOTS)))


def published(pair: PairFlow) -> PairFlow:
    """The pair with as many decimals as are published."""
    return replace(pair, expected_per_100=pair.expected_per_100 and round(pair.expected_per_100, DECIMALS))


@given(st.integers(0, 400), st.integers(0, 5_000), st.integers())
def test_places_are_drawn_as_the_standard_library_draws_them(size: int, more: int, seed: int) -> None:
    ours, theirs = Random(seed), Random(seed)
    assert list(sample_places(ours, size + more, size)) == theirs.sample(range(size + more), size)
    assert ours.random() == theirs.random()


@pytest.mark.parametrize("chips", [1, 10**6])
def test_resamples_are_the_same_to_the_last_bit(chips: int) -> None:
    for seed in range(5):
        known = blocks(Random(seed), 30, chips)
        bots = sorted({bot for block in known for bot in block.bots})
        assert array_resamples(known, bots, 50, Random(seed)) == plain_resamples(known, bots, 50, Random(seed))


def test_large_rankings_are_those_of_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    known = blocks(Random(3), 100, 20)
    monkeypatch.setattr(bootstrap, "PARALLEL_FROM", 100 * 50)
    found = bootstrap_ranking(known, resamples=50)
    monkeypatch.setattr(bootstrap, "PARALLEL_FROM", 100 * 50 + 1)
    assert found == bootstrap_ranking(known, resamples=50)


@pytest.mark.parametrize("chips", [2**62, 10**400])
def test_chips_without_a_limit_do_not_overflow(chips: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "PARALLEL_FROM", 0)
    found = bootstrap_ranking([TableBlock(BOTS[:2], (chips, 1), 1)] * 3, resamples=5)
    assert found is not None
    assert [(rank.bot, rank.again) for rank in found.ranks] == [(BOTS[0], 1.0), (BOTS[1], 1.0)]


def test_small_contests_do_not_load_numpy() -> None:
    program = (
        "import sys; from bourre_referee.statistics.analysis import ConductCounter, RunCounts, analyse; "
        "import bourre_referee.ratings as ratings; ratings.rate([], ['a']); "
        "analyse([], [], ConductCounter(), RunCounts()); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
