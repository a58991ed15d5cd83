"""The heading of a contest, from its standings: who leads, by how much, and whether that is certain."""

from __future__ import annotations

import pytest

from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.web.data.headline import Headline, headline


def bot(name: str, effect: float | None, tied: str = "", deals: int = 100, score: float = 20.0) -> Standing:
    figures = (25.0, 2.0, score, deals, 10.0, 5.0, None, 1, 1, 0, 0, 0, tied, None, None)
    return Standing(1, name, *figures, reneges_by_rule={}, effect=effect, effect95=None)


def told(rows: list[Standing], matches: int = 12, total: int = 20, too_few: tuple[str, ...] = ()) -> Headline:
    ties = None if rows and rows[0].effect is None else ()
    table = Standings("x", "session", matches, "", tuple(rows), (), ties=ties, too_few=too_few)
    return headline(table, total, complete=matches == total)


APART = [bot("ada", 81.2), bot("bob", 34.5), bot("cy", -115.7)]
CLOSE = [bot("ada", 8.2, "a"), bot("bob", 4.5, "a"), bot("cy", 1.0, "a"), bot("dan", -13.7)]
SHARED = [bot("ada", 9, "a"), bot("bob", 9, "a"), bot("cy", -18)]
OLDER = [bot("ada", None, score=27.0), bot("bob", None, score=24.5)]


@pytest.mark.parametrize(
    ("rows", "matches", "title"),
    [
        (APART, 20, "⁨ada⁩ wins by 47"),
        (APART, 12, "⁨ada⁩ leads by 47 after 12 of 20 matches"),
        (CLOSE, 20, "⁨ada⁩ wins, but two bots are too close to call"),
        (CLOSE, 12, "⁨ada⁩ leads by 3.7 after 12 of 20 matches"),
        ([CLOSE[0], CLOSE[1], CLOSE[3]], 20, "⁨ada⁩ wins, but ⁨bob⁩ is too close to call"),
        (SHARED, 20, "⁨ada⁩ and ⁨bob⁩ share first place"),
        (SHARED, 12, "⁨ada⁩ and ⁨bob⁩ share the lead after 12 of 20 matches"),
        ([*(bot(name, 9, "a") for name in "abc"), bot("cy", -27)], 20, "Three bots share first place"),
        (CLOSE[:3], 12, "Too few matches to tell the bots apart"),
        (CLOSE[:3], 20, "20 matches are too few to tell the bots apart"),
        (APART[:1], 20, "⁨ada⁩ is the only bot with a rank"),
        ([bot("ada", None, deals=0)], 0, "No match has finished yet"),
        ([], 20, "No bot has a rank"),
        (OLDER, 12, "⁨ada⁩ leads by 2.5 points after 12 of 20 matches"),
    ],
)  # fmt: skip
def test_the_heading_says_who_leads_and_whether_that_is_certain(rows: list[Standing], matches: int, title: str) -> None:
    assert told(rows, matches).title == title


def test_nothing_is_known_before_every_bot_has_two_matches() -> None:
    found = told(APART, 1, too_few=("ada", "bob", "cy"))
    assert found.title == "Too few matches to tell the bots apart"
    assert not found.podium
    assert told(APART, 1, total=1, too_few=("ada", "bob", "cy")).title == "One match is too few to tell the bots apart"


def test_the_sentences_begin_with_the_leaders_figure_and_end_with_its_rivals() -> None:
    assert told(CLOSE).figure == "+8.2 chips per 100 deals"
    rest = " above the mean of this field, 3.7 more than ⁨bob⁩. Two bots are still too close to call."
    assert told(CLOSE).rest == rest
    assert told(CLOSE, 20).podium


def test_a_gap_that_rounds_to_nothing_is_not_called_nothing() -> None:
    rows = [bot("ada", 4.0001), bot("bob", 4.0), bot("cy", -1234.5)]
    assert told(rows).title == "⁨ada⁩ leads by less than 0.1 after 12 of 20 matches"


def test_a_hostile_name_cannot_change_the_heading() -> None:
    rows = [bot("\u202eada\u2069 wins" + "W" * 90, 81.2), *APART[1:]]
    title = told(rows, 20).title
    assert title.startswith("⁨\\u202eada\\u2069 wins")
    assert len(title) < 70
