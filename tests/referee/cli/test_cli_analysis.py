"""What `bourre stats` prints in words beside its tables."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from bourre_referee.cli.analysis_tables import FLOWS, print_analysis
from bourre_referee.statistics.analysis import Analysis
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.match_sums import PairFigures
from bourre_referee.statistics.pair_findings import Favour, Favours, PairFlow
from bourre_referee.statistics.play_style import SeatWorth, Strength, Style

NOTHING = Analysis(rows=(), tied=(), raw=None, adjusted=None, seats=(), conduct=(), rules=(), style=(), flow=())
HONEST = PairFlow("ada", "bob", 100, 12.0, 11.0, 0.4, 1.0)
GIFT = replace(HONEST, payer="\x1b[2Jcy", taker="dee", per_100=80.0, p=0.0001, p_holm=0.0012)


def printed(analysis: Analysis) -> str:
    file = StringIO()
    print_analysis(analysis, Console(file=file))
    return file.getvalue()


def test_after_one_block_nothing_is_said_of_chance() -> None:
    assert "\nfewer than two blocks were played: it is too early for chances\n" in printed(NOTHING)


def test_pairs_are_shown_raw_less_luck_and_fitted_where_that_helps() -> None:
    wide, narrow = Estimate(12.0, (2.0, 22.0), 300), Estimate(11.0, (8.0, 14.0), 300)
    pairs = (PairFigures("ada", "bob", wide, narrow, narrow), PairFigures("ada", "\x1b[2Jcy", wide, narrow))
    file = StringIO()
    print_analysis(replace(NOTHING, pairs=pairs), Console(file=file), fitted=True)
    told = [" ".join(line.split()) for line in file.getvalue().splitlines()]
    assert "ada - bob 300 +12.0 ± 10.0 +11.0 ± 3.0 +11.0 ± 3.0" in told
    assert "ada - \\x1b[2Jcy 300 +12.0 ± 10.0 +11.0 ± 3.0 -" in told
    assert "a correction fitted to these deals helps 1 of 2 pairs. No standing uses it." in told
    sessions = tuple(replace(pair, adjusted=None, fitted=None) for pair in pairs)
    assert "Differences" not in printed(replace(NOTHING, pairs=sessions))


def test_who_pays_far_more_to_one_is_named() -> None:
    told = printed(replace(NOTHING, flow=(GIFT, HONEST)))
    assert [line for line in told.splitlines() if line.startswith("look at ")] == [
        "look at \\x1b[2Jcy: it pays far more to dee than to others"
    ]
    assert "no pair can be tested" not in told


@pytest.mark.parametrize(
    ("smallest", "words"),
    [
        (0, "it pays far more to dee than to others"),
        (1, "its mistakes cost far more while dee may win the pot than while others may"),
        (2, "it comes in far more often while dee may win the pot than while others may"),
        (3, "it passes far more often if dee is in than if others are"),
        (4, "it plays far lower cards on tricks of dee than on those of others"),
    ],
)
def test_what_makes_a_pair_suspicious_is_said(smallest: int, words: str) -> None:
    chances = [0.3] * 5
    chances[smallest] = 0.0001
    favours = (Favour(effect, p) for effect, p in zip((31.25, 0.125, 0.5, -0.25), chances[1:], strict=True))
    pair = replace(GIFT, p=chances[0], favours=Favours(*favours))
    unknown = replace(HONEST, favours=Favours(None, None, None, None))
    told = printed(replace(NOTHING, flow=(pair, unknown))).splitlines()
    assert f"look at \\x1b[2Jcy: {words}" in told
    (row,) = (line.split() for line in told if line.startswith("\\x1b[2Jcy"))
    shown = [f"{p:.4f}" for p in chances]
    assert row[5:] == [shown[0], "+31.2", shown[1], "+12%", shown[2], "+50%", shown[3], "-25%", shown[4], "0.0012"]
    (blank,) = (line.split() for line in told if line.startswith("ada"))
    assert blank[6:] == ["-"] * 8 + ["1.0000"]
    assert told[-1].startswith("not seen by these tests: ")


@pytest.mark.parametrize("flow", [(), (HONEST,), (GIFT,)])
def test_what_the_test_for_friends_does_not_see_is_said_whatever_it_found(flow: tuple[PairFlow, ...]) -> None:
    last = printed(replace(NOTHING, flow=flow)).splitlines()[-1]
    assert last.startswith("not seen by this test: soft play (a bot that passes where its friend is in), ")
    assert last.endswith("So it clears nobody.")


@pytest.mark.parametrize(("gifts", "shown"), [(0, FLOWS), (FLOWS + 1, FLOWS + 1)])
def test_all_that_is_suspicious_is_shown_and_the_rest_is_counted(gifts: int, shown: int) -> None:
    told = printed(replace(NOTHING, flow=(GIFT,) * gifts + (HONEST,) * FLOWS * 2)).splitlines()
    rows = [line for line in told if line.startswith(("ada", "\\x1b[2Jcy"))]
    assert len(rows) == shown
    left = gifts + 2 * FLOWS - shown
    assert f"and {left} more pairs, less unusual than these: --json has all" in told


def test_where_nobody_ever_sat_without_another_no_pair_is_tested() -> None:
    untested = replace(HONEST, expected_per_100=None, p=None, p_holm=None)
    assert "no pair can be tested: that takes tables with and without the other" in printed(
        replace(NOTHING, flow=(untested,))
    )


def test_chips_without_a_limit_are_told_in_powers_of_ten() -> None:
    vast = replace(
        NOTHING,
        seats=(SeatWorth(0, Estimate(1e121, (-1e121, 2.5e9), 7)),),
        style=(Style("ada", Strength.LOW, 100, 50, 1, 1, 1, -3e120),),
        flow=(replace(HONEST, per_100=4e120, expected_per_100=5e9),),
    )
    told = printed(vast).split()
    assert {"+1.00e+121", "-1.00e+121", "+2.50e+09", "-3.00e+120", "4.00e+120", "5.00e+09"} <= {*told}
    assert max(map(len, told)) < 20
