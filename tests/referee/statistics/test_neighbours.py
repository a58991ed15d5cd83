"""Neighbours in the standings: told apart, or how many more deals that needs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.estimates import PILOT, Block
from bourre_referee.statistics.neighbours import blocks_needed, judge_neighbours
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, judge
from bourre_referee.statistics.tally import tally_of

RANKING = ("ada", "bob", "cy")
SKILL = (800, 750, -1550)


def match(number: int, random: Random) -> MatchResult:
    """Ten duplicate deals: ada and bob are hard to tell apart, cy is far worse, and all of the noise is luck."""
    blocks = []
    for _ in range(10):
        luck = [round(random.gauss(0, 1000)) for _ in range(2)]
        luck = [*luck, -sum(luck)]
        chips = [skill + round(0.7 * drawn) for skill, drawn in zip(SKILL[:2], luck[:2], strict=True)]
        blocks.append(DealResult((*chips, -sum(chips)), tuple(32 * drawn for drawn in luck)))
    totals = [sum(block.chips[seat] for block in blocks) for seat in range(3)]
    ranks = ranks_of(totals)
    seats = tuple(SeatResult(bot, totals[at], ranks[at], 0, 0, 0, 0, 0) for at, bot in enumerate(RANKING))
    return MatchResult(f"m{number:04d}", 10, seats, 840, tuple(blocks))


@pytest.fixture(scope="module")
def played() -> list[MatchResult]:
    random = Random(1)
    return [match(number, random) for number in range(1, 9)]


def test_luck_is_taken_off_where_it_is_known(played: list[MatchResult]) -> None:
    """All of the noise was luck: what is left is the same in every block, except for rounding."""
    sums = tally_of(played).difference("ada", "bob", adjusted=True)
    found = {round(chips / (320 * 840) * 840) for _, chips in sums.pilot}
    assert found <= {49, 50, 51}
    assert sums.chips > 0


def test_neighbours_are_told_apart_or_not(played: list[MatchResult]) -> None:
    raw = [replace(match, unit=1, blocks=()) for match in played] * 3
    upper, lower = judge_neighbours(tally_of(raw), RANKING)
    assert (upper.upper, upper.lower, lower.upper, lower.lower) == ("ada", "bob", "bob", "cy")
    assert upper.verdict is Verdict.UNDECIDED
    assert upper.more_blocks is None or upper.more_blocks > 24


def test_the_level_is_shared_among_the_pairs() -> None:
    """Among many bots, each pair must be more certain."""
    random = Random(8)
    results = [
        MatchResult(
            f"m{number:04d}", 1, (SeatResult("ada", won, 1, 0, 0, 0, 0, 0), SeatResult("bob", -won, 2, 0, 0, 0, 0, 0))
        )
        for number in range(1, 80)
        if (won := 1 + abs(round(random.gauss(0, 3))))
    ]
    alone = judge_neighbours(tally_of(results[:32]), ("ada", "bob"))[0]
    names = ("ada", "bob", *(f"bot{number}" for number in range(400)))
    among_others = judge_neighbours(tally_of(results[:32]), names)[0]
    blocks = [Block(2 * match.seats[0].chips, 1) for match in results[:32]]
    assert len(blocks) > PILOT
    assert alone.verdict is judge(blocks, LEVEL)
    assert among_others.verdict is judge(blocks, LEVEL / 401)
    assert among_others.more_blocks == blocks_needed(blocks, LEVEL / 401)
    assert among_others.more_blocks
    assert alone.more_blocks is not None
    assert among_others.more_blocks > alone.more_blocks


def test_bots_that_never_met_are_not_compared(played: list[MatchResult]) -> None:
    stranger = judge_neighbours(tally_of(played), ("ada", "dee"))[0]
    assert (stranger.verdict, stranger.more_blocks) == (Verdict.UNDECIDED, None)
