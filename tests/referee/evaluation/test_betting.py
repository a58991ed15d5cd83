"""Bets within a known bound: by hand, seldom wrong however rare losses are, and the bound that the rules set."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre import Bot, Card, View
from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.rules.house import PRESETS, HouseRules
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.evaluation.compare.betting import SHARES, Bets, bets_on
from bourre_referee.evaluation.compare.comparison_contest import most_difference
from bourre_referee.evaluation.compare.evidence import blocks_to_verdict, verdict_of
from bourre_referee.statistics.estimates import Block
from bourre_referee.statistics.stopping_boundary import Verdict

BOUND = 50
DEALS = 1000


def blocks(differences: Sequence[int]) -> list[Block]:
    return [Block(difference, 5) for difference in differences]


def bets(differences: Sequence[int], bound: int = BOUND) -> Bets:
    found = bets_on(blocks(differences), bound)
    assert found
    return found


def verdict(differences: Sequence[int], margin: float | None = None, bound: int = BOUND) -> Verdict:
    return verdict_of(bets(differences, bound), margin)


def test_the_money_by_hand() -> None:
    """Wins of the whole bound: each share multiplies its part by 1 + share; 2 / 0.05 is 40 times the money."""
    needed = next(n for n in range(1, 20) if sum((1 + share) ** n for share in SHARES) >= 40 * len(SHARES))
    assert [verdict([BOUND] * n) for n in (needed - 1, needed)] == [Verdict.UNDECIDED, Verdict.FIRST]
    assert [verdict([-BOUND] * n) for n in (needed - 1, needed)] == [Verdict.UNDECIDED, Verdict.SECOND]


def lottery(random: Random, one_in: int) -> list[int]:
    """Wins of 1 chip, and in one deal of `one_in` a loss of all of them: nobody is better."""
    return [1 - one_in if random.random() < 1 / one_in else 1 for _ in range(DEALS)]


@pytest.mark.parametrize("one_in", [20, 100, 1000])
def test_it_is_seldom_wrong_however_rare_losses_are(one_in: int) -> None:
    random = Random(one_in)
    samples = [lottery(random, one_in) for _ in range(40)]
    wrong = sum(
        any(verdict(sample[:deals], bound=one_in) is not Verdict.UNDECIDED for deals in range(100, DEALS + 1, 100))
        for sample in samples
    )
    assert wrong <= 2


@given(st.lists(st.integers(-BOUND, BOUND), min_size=1, max_size=60), st.floats(-60, 60))
def test_the_interval_holds_what_is_not_rejected(differences: list[int], mean: float) -> None:
    found = bets(differences)
    low, high = found.interval()
    assert -BOUND <= low <= found.mean <= high <= BOUND
    assert found.rejects(mean) == (not low < mean < high)
    assert bets([-difference for difference in differences]).interval() == pytest.approx((-high, -low))


def test_more_blocks_make_it_narrower_and_a_verdict_is_foretold() -> None:
    known = [9, -5, 2, -3]
    widths = [high - low for low, high in (bets(known * times).interval() for times in (5, 50, 500))]
    assert all(later < earlier for earlier, later in pairwise(widths))
    more = blocks_to_verdict(bets(known * 20), None)
    assert more
    times = -(-(80 + more) // 4)
    assert verdict(known * times) is Verdict.FIRST
    assert verdict(known * (times - 1)) is Verdict.UNDECIDED
    assert verdict([5, -5] * 2000, margin=2.0) is Verdict.EQUAL


def test_nothing_is_known_before_the_first_block_and_no_difference_passes_the_bound() -> None:
    assert bets_on([], BOUND) is None
    with pytest.raises(ValueError, match="A difference is larger than 50, the most that the rules allow"):
        bets_on(blocks([3, -51]), BOUND)


class Wild(Bot):
    """Plays any card at all, mostly against the rules."""

    def play(self, view: View) -> Card:
        return view.rng.choice(view.hand)

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.8


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
def test_no_deal_separates_two_seats_by_more_than_the_bound(preset: str, seats: int) -> None:
    house = HouseRules.preset(preset)
    most = most_difference(house, seats)
    record = read(practice_duplicate([Wild] * seats, 20, seatings, 5, house, strict=False))
    found = max(max(deal.balances) - min(deal.balances) for deal in record.deals)
    assert most / 4 < found <= most


def test_the_bound_by_hand() -> None:
    """Under `limit` one takes five antes and another pays them again. Elsewhere a dealer pays for all."""
    assert most_difference(HouseRules.preset("limit"), 5) == 2 * 5
    assert most_difference(HouseRules.preset("limit", pot_limit=3), 5) == 2 * 3
    assert most_difference(HouseRules.preset("limit", dealer_antes_all=True), 5) == 3 * 5
    assert most_difference(HouseRules.preset("double_ante"), 5) == 2 * 10 + 1
    assert most_difference(HouseRules.preset("indiana"), 5) == 15 + 2 * 15 + 2
