"""The tally: what follows from its sums equals, to the last digit, what the plain formulas find in all blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from math import gcd, isqrt, sqrt
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.results import DealResult, MatchResult, ranks_of
from bourre_referee.statistics.estimates import (
    PILOT,
    Block,
    BlockSums,
    Estimate,
    add_up,
    adjusted_blocks_of,
    blocks_of,
    divide,
    estimate_per_100,
    t_p_value,
    t_quantile,
)
from bourre_referee.statistics.match_sums import Tally, tally_of
from bourre_referee.statistics.pair_findings import p_value
from tests.referee.matches import BOTS, match, matches


def plain_estimate(blocks: Sequence[Block], parts: int) -> Estimate:
    chips, deals = sum(block.chips for block in blocks), sum(block.deals for block in blocks)
    if deals == 0:
        return Estimate(0.0, None, 0)
    rate = divide(100 * chips, deals * parts)
    if len(blocks) < 2:
        return Estimate(rate, None, deals)
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in blocks)
    error = divide(100 * isqrt(squares * len(blocks) * 10**24 // (len(blocks) - 1)), deals**2 * 10**12 * parts)
    half = t_quantile(0.975, len(blocks) - 1) * error
    return Estimate(rate, (rate - half, rate + half), deals)


def plain_p_value(blocks: Sequence[Block]) -> float:
    chips, deals, number = sum(block.chips for block in blocks), sum(block.deals for block in blocks), len(blocks)
    if number < 2 or chips == 0:
        return 1.0
    step = gcd(*(block.chips for block in blocks))
    squares = sum((block.chips * deals - chips * block.deals) ** 2 for block in blocks)
    spread = number * (12 * squares + number * (step * deals) ** 2)
    return t_p_value(sqrt(divide(12 * (chips * deals) ** 2 * (number - 1), spread)), number - 1)


def plain_differences(results: Sequence[MatchResult], one: str, other: str, adjusted: bool) -> list[Block]:
    found: list[Block] = []
    for played in results:
        seats = {seat.bot: place for place, seat in enumerate(played.seats)}
        if one in seats and other in seats:
            blocks = adjusted_blocks_of if adjusted and played.blocks else blocks_of
            found += blocks(played, seats[one], seats[other])
    return found


@st.composite
def duplicate_matches(draw: st.DrawFn) -> MatchResult:
    """A match whose deals have results of their own, of two to four bots."""
    bots = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=4, unique=True))
    parts = st.lists(st.integers(-2000, 2000), min_size=len(bots) - 1, max_size=len(bots) - 1)
    amounts = parts.map(lambda found: (*found, -sum(found)))
    deals = draw(st.lists(st.builds(DealResult, amounts, amounts), min_size=1, max_size=4))
    totals = [sum(deal.chips[place] for deal in deals) for place in range(len(bots))]
    plain = match(dict(zip(bots, totals, strict=True)), deals=len(deals))
    seats = tuple(replace(seat, rank=rank) for seat, rank in zip(plain.seats, ranks_of(totals), strict=True))
    return MatchResult("m0001", len(deals), seats, 840, tuple(deals))


contests = st.lists(matches(), max_size=8) | st.lists(duplicate_matches(), max_size=6)
mixed = contests | st.lists(matches() | duplicate_matches(), max_size=6)
"""As above, or on a ladder whose format has changed."""


@given(st.lists(st.builds(Block, st.integers(-(10**30), 10**30) | st.integers(-3, 3), st.integers(1, 60)), max_size=9))
def test_estimates_and_tests_follow_from_the_sums(blocks: list[Block]) -> None:
    assert estimate_per_100(blocks, 840) == plain_estimate(blocks, 840)
    assert p_value(blocks) == plain_p_value(blocks)


@given(mixed)
def test_a_pair_has_the_sums_of_its_matches_from_both_sides(results: list[MatchResult]) -> None:
    tally = tally_of(results)
    for one, other in permutations(BOTS, 2):
        for adjusted in (False, True):
            assert tally.difference(one, other, adjusted) == add_up_by_match(results, one, other, adjusted)


@given(contests)
def test_a_bot_has_the_sums_of_its_seats(results: list[MatchResult]) -> None:
    tally = tally_of(results)
    for bot in BOTS:
        played = [(m, place) for m in results for place, seat in enumerate(m.seats) if seat.bot == bot]
        assert (bot in tally.bots) == bool(played)
        if played:
            sums, unit = tally.bots[bot], played[0][0].unit
            assert estimate_per_100(sums.blocks, unit) == plain_estimate(
                [b for at in played for b in blocks_of(*at)], unit
            )
            adjusted = [b for m, place in played if m.blocks for b in adjusted_blocks_of(m, place)]
            assert estimate_per_100(sums.adjusted) == plain_estimate(adjusted, 1)
            assert sums.reneges == sum(m.seats[place].reneges for m, place in played)


@given(contests, st.randoms(use_true_random=False))
def test_matches_may_come_in_any_order(results: list[MatchResult], rng: Random) -> None:
    tally, numbered = Tally(), list(enumerate(results, start=1))
    for number, played in rng.sample(numbered, len(numbered)):
        tally.add(played, number)
    assert tally == tally_of(results)


def test_the_pilot_is_the_first_blocks_of_the_schedule() -> None:
    sums = BlockSums()
    for number in [*range(50, 100), 3, 2, 1]:
        sums.add(-number, 10, number)
    assert sums.pilot == [(number, number) for number in (1, 2, 3, *range(50, 47 + PILOT))]
    sums.add(0, 10, number=0)
    assert sums.pilot[0] == (1, 1)


def add_up_by_match(results: Sequence[MatchResult], one: str, other: str, adjusted: bool) -> BlockSums:
    sums = BlockSums()
    for number, played in enumerate(results, start=1):
        for block in plain_differences([played], one, other, adjusted):
            sums.add(block.chips, block.deals, number)
    assert estimate_per_100(sums) == plain_estimate(plain_differences(results, one, other, adjusted), 1)
    return sums


def test_blocks_with_a_common_rate_have_no_spread() -> None:
    assert add_up([Block(2, 10), Block(4, 20)]).spread == 0
    assert add_up([Block(2, 10), Block(4, 10)]).spread > 0
