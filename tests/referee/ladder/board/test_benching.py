"""A bot is benched for faults in too many games, but not for the bad luck of a few."""

from __future__ import annotations

from collections import Counter
from math import comb, exp

import pytest

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.benching import (
    BenchDue,
    BenchingTerms,
    FaultCounts,
    GameCounts,
    bench_due,
    log_evidence,
)
from tests.referee.ladder.board.boards import game

TERMS = BenchingTerms(fault_share=0.1, games=10)


def counted(games: int, faulty: int) -> FaultCounts:
    """So many games, of which so many had two late answers."""
    return FaultCounts(games, faulty, Counter({"late": 2 * faulty}))


def is_due(games: int, faulty: int, terms: BenchingTerms = TERMS) -> bool:
    """Whether a bot is benched after these games."""
    return bool(bench_due([("a.1", counted(games, faulty))], terms))


@pytest.mark.parametrize(
    ("games", "faulty", "due"),
    [
        (9, 9, False),
        (10, 10, True),
        (10, 2, False),
        (10, 3, False),
        (20, 10, True),
        (1000, 100, False),
        (1000, 0, False),
    ],
)
def test_few_games_or_few_faults_bench_nobody(games: int, faulty: int, due: bool) -> None:
    assert is_due(games, faulty) is due


def test_more_games_need_less_of_an_excess() -> None:
    """The share that is too much comes down to the share that is allowed."""
    fewest = {
        games: [is_due(games, faulty) for faulty in range(games + 1)].index(True) for games in (10, 40, 200, 1000)
    }
    assert fewest == {10: 6, 40: 13, 200: 38, 1000: 141}


def test_the_evidence_is_the_average_likelihood() -> None:
    """By hand: over all shares alike, 3 faults in 5 games are as likely as any number of them, 1 in 6."""
    assert exp(log_evidence(5, 3, 0.1)) == pytest.approx(1 / 6 / (comb(5, 3) * 0.1**3 * 0.9**2))
    assert log_evidence(0, 0, 0.1) == pytest.approx(0)


def test_the_reason_names_games_faults_and_kinds() -> None:
    faults = counted(20, 15)
    faults.kinds.update({"crashed": 31, "stalled": 0})
    assert bench_due([("a.1", faults), ("b.1", counted(20, 0))], TERMS) == [
        BenchDue("a.1", "it made faults in 15 of 20 games, and more than 10% are too many: crashed 31, late 30")
    ]


def test_a_bot_that_never_starts_is_benched_with_that_reason() -> None:
    faults = FaultCounts()
    for _ in range(20):
        faults.count(Counter({"start_failure": 1, "late": 0}), 1)
    (due,) = bench_due([("a.1", faults)], TERMS)
    assert due.reason == (
        "it never started in 20 of 20 games, and more than 10% are too many; the first line of its log says why"
    )


@pytest.mark.parametrize(("share", "due"), [(0.0, True), (1.0, False)])
def test_all_or_no_faults_may_be_allowed(share: float, due: bool) -> None:
    assert is_due(10, 10, BenchingTerms(share, 1)) is due
    assert not is_due(10, 0, BenchingTerms(share, 1))
    assert not is_due(0, 0, BenchingTerms(share, 0))


def test_an_excuse_forgives_the_games_up_to_then_and_those_under_way() -> None:
    counts = GameCounts()
    for room in (1, 2):
        counts.count(game(room, "a.1", "b.1", faulty=["a.1"], fault=Fault.CRASHED), 0)
    assert (counts.recent.games, counts.recent.share) == (2, 1.0)
    counts.excuse(4)
    for room in (4, 5, 6):
        counts.count(game(room, "b.1", "a.1", faulty=["a.1"] if room < 6 else []), 1)
    assert (counts.recent.games, counts.recent.faulty, counts.recent.kinds) == (2, 1, {"late": 2})
    assert (counts.games, counts.faults.faulty, counts.faults.kinds) == (5, 4, {"crashed": 4, "late": 4})


def test_a_game_taken_back_counts_nothing() -> None:
    counts = GameCounts()

    def totals() -> list[object]:
        return [counts.games, counts.recent.games, counts.faults.faulty, counts.deals, counts.chips]

    some = [game(1, "a.1", "b.1"), game(2, "a.1", "b.1", faulty=["a.1"]), game(3, "b.1", "a.1")]
    for each, seat in zip(some, (0, 0, 1), strict=True):
        counts.count(each, seat)
    assert totals() == [3, 3, 1, 30, 1]
    counts.count(some[1], 0, -1)
    assert totals() == [2, 2, 0, 20, 0]
    assert counts.faults.kinds.total() == counts.recent.kinds.total() == 0


def test_chips_are_counted_per_deal() -> None:
    counts = GameCounts()
    assert (counts.chips_per_deal, counts.faults.share) == (0.0, 0.0)
    counts.count(game(1, "a.1", "b.1"), 0)
    assert counts.chips_per_deal == 0.1
