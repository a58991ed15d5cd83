"""Neighbours in the standings: told apart, or how many more deals that needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.ratings import rate
from bourre_referee.statistics.estimates import PILOT, Block
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, judge
from bourre_referee.statistics.undecided_pairs import MAX_PAIRS_SHOWN, blocks_needed, judge_neighbours, undecided_lines
from tests.referee.matches import standings

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


PAIR = (("ada", 1, 1), ("bob", -1, 2))
"""Bot, sign of its chips, rank."""


def sessions(skills: dict[str, float], matches: int) -> list[MatchResult]:
    """Matches at one table, in which each bot's chips follow its skill plus the same amount of chance."""
    random = Random(2)
    found = []
    for number in range(1, matches + 1):
        chips = [round(random.gauss(skill, 10)) for skill in list(skills.values())[:-1]]
        chips.append(-sum(chips))
        seats = zip(skills, chips, ranks_of(chips), strict=True)
        found.append(
            MatchResult(
                f"m{number:04d}", 10, tuple(SeatResult(bot, won, rank, 0, 0, 0, 0, 0) for bot, won, rank in seats)
            )
        )
    return found


def told(results: list[MatchResult], bots: Iterable[str]) -> list[str]:
    tally, ratings = tally_of(results), rate(results, list(bots), version=3)
    return undecided_lines(tally, rank_bots("demo", "", "", tally, ratings, level=None))


def test_neighbours_that_are_close_are_told_with_what_it_takes() -> None:
    skills = {"ada": 60.0, "bob": 54.0, "cy": -40.0, "dee": -76.0}
    lines = told(sessions(skills, 40), skills)
    assert lines[0] == "to tell neighbours apart, if play goes on like this (matches that both play):"
    assert len(lines) == 2
    words = lines[1].split()
    assert words[:4] == ["ada", "and", "bob:", "about"]
    assert 0 < int(words[4]) < 10_000
    assert words[5:] == ["more", "matches"]


def test_where_all_are_told_apart_there_is_nothing_to_say() -> None:
    skills = {"ada": 90.0, "bob": 10.0, "cy": -100.0}
    assert told(sessions(skills, 40), skills) == []


def test_of_a_duplicate_deal_all_seatings_are_one_deal() -> None:
    blocks = tuple(DealResult((chips, -chips), (0, 0)) for chips in [840, -840, 420] * 20)
    seats = tuple(SeatResult(bot, 10 * sign * 840, rank, 0, 0, 0, 0, 0) for bot, sign, rank in PAIR)
    lines = told([MatchResult("m0001", 60, seats, 840, blocks)], ["ada", "bob"])
    assert lines[0].endswith("(deals that both play, each in all seatings):")
    assert lines[1].startswith("  ada and bob: about ")
    assert lines[1].endswith(" more deals")


def test_before_anything_can_be_foretold_nothing_is_said() -> None:
    assert told(sessions({"ada": 1.0, "bob": -1.0}, 5), ["ada", "bob"]) == []


def test_of_many_pairs_those_that_need_least_are_told() -> None:
    skills = {f"bot{number}": 30.0 - 2.0 * number for number in range(12)}
    lines = told(sessions(skills, 60), skills)
    more = [int(line.split()[4]) for line in lines[1 : MAX_PAIRS_SHOWN + 1]]
    assert more == sorted(more)
    assert len(lines) == MAX_PAIRS_SHOWN + 2
    assert lines[-1].endswith("more pairs, without a prediction or with a longer one")


def test_whom_the_letters_tell_apart_needs_no_more() -> None:
    """Looked at once, at the end, ada and bob differ; a test after every match has to wait a little longer."""
    skills = {"ada": 32.0, "bob": 22.0, "cy": -54.0}
    results = sessions(skills, 30)
    tally = tally_of(results)
    table = rank_bots("demo", "", "", tally, rate(results, list(skills), version=3), level=None)
    assert [row.tied for row in table.rows] == ["", "", ""]
    assert judge_neighbours(tally_of(results), list(skills))[0].verdict is Verdict.UNDECIDED
    assert undecided_lines(tally, table) == []


def test_the_field_model_tells_how_many_more_matches_of_the_schedule_part_neighbours() -> None:
    skills = {"ada": 60.0, "bob": 54.0, "cy": -40.0, "dee": -74.0}
    results = [*sessions(skills, 40), once("eve", "ada")]
    lines = undecided_lines(tally_of(results), standings("demo", "", "", results, [*skills, "eve"]))
    assert lines[0] == "to tell neighbours apart, if the schedule goes on like this:"
    assert [line.split(":")[0] for line in lines[1:]] == ["  ada and bob", "too few matches to tell apart from others"]
    assert 0 < int(lines[1].split()[4]) < 10_000
    assert lines[1].endswith(" more matches")
    assert lines[2].endswith(": eve")


def once(*bots: str) -> MatchResult:
    seats = (SeatResult(bot, won, rank, 0, 0, 0, 0, 0) for bot, won, rank in zip(bots, (1, -1), (1, 2), strict=True))
    return MatchResult("m9999", 10, tuple(seats))
