"""What the standings say about neighbours that are not told apart yet."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.neighbours import MAX_PAIRS_SHOWN, judge_neighbours, undecided_lines
from bourre_referee.statistics.ranking import standings
from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.statistics.tally import tally_of

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
    return undecided_lines(tally_of(results), standings("demo", "", "", results, list(bots)).rows)


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
    assert lines[-1].endswith("more pairs, which take longer or cannot be predicted")


def test_whom_the_letters_tell_apart_needs_no_more() -> None:
    """Looked at once, at the end, ada and bob differ; a test after every match has to wait a little longer."""
    skills = {"ada": 32.0, "bob": 22.0, "cy": -54.0}
    results = sessions(skills, 30)
    rows = standings("demo", "session", "", results, list(skills)).rows
    assert [row.tied for row in rows] == ["", "", ""]
    assert judge_neighbours(tally_of(results), list(skills))[0].verdict is Verdict.UNDECIDED
    assert undecided_lines(tally_of(results), rows) == []
