"""The interval of a rate: exact for single trials, wider when matches differ, and never without width."""

from __future__ import annotations

from random import Random

import pytest

from bourre_referee.statistics.clustered_rate import clustered_interval, exact_interval


@pytest.mark.parametrize(
    ("events", "trials", "expected"),
    [(5, 100, (0.0164319, 0.1128349)), (0, 10, (0.0, 0.3084971)), (10, 10, (0.6915029, 1.0)), (1, 2, (0.0126, 0.9874))],
)
def test_the_exact_interval_is_the_published_one(events: int, trials: int, expected: tuple[float, float]) -> None:
    assert exact_interval(events, trials) == pytest.approx(expected, abs=1e-4)


def test_no_interval_is_without_width() -> None:
    """Two matches with the same rate, or with nothing but faults, had intervals of one number."""
    for clusters in ([(8, 8), (8, 8)], [(10, 15), (10, 15)], [(0, 8), (0, 8)]):
        found = clustered_interval(clusters)
        assert found
        assert found[1] - found[0] > 0.1
        assert found[0] <= sum(events for events, _ in clusters) / sum(trials for _, trials in clusters) <= found[1]
    assert clustered_interval([(16, 16), (0, 0)]) is None


def test_an_interval_is_wider_when_events_crowd_in_few_matches() -> None:
    even, crowded = clustered_interval([(1, 20)] * 20), clustered_interval([(10, 20), (10, 20), *[(0, 20)] * 18])
    assert even
    assert crowded
    assert crowded[1] - crowded[0] > 2 * (even[1] - even[0])


@pytest.mark.parametrize("matches", [4, 12])
def test_the_interval_holds_the_rate_in_95_of_100_runs_though_matches_differ(matches: int) -> None:
    random, held = Random(matches), 0
    for _ in range(200):
        rates = [random.choice((0.02, 0.05, 0.08)) for _ in range(matches)]
        found = clustered_interval([(sum(random.random() < rate for _ in range(60)), 60) for rate in rates])
        held += found is not None and found[0] <= 0.05 <= found[1]
    assert held >= 190
