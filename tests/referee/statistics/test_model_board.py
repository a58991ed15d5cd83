"""The board of models: repeats are one row, whose interval knows that they met; unknown costs stay unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bourre.notes import Usage
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.estimates import Block, estimate_per_100
from bourre_referee.statistics.model_board import ModelRow, model_board, model_plays
from bourre_referee.statistics.rule_following import ALL, BlockCounts, RuleCounter
from tests.referee.matches import match, standings

MATCHES = [
    match({"m.1": 40, "m.2": -10, "ada": -30}, deals=50, name="m0001"),
    match({"m.1": -5, "m.2": 25, "ada": -20}, deals=50, name="m0002"),
    match({"m.1": 10, "m.2": -30, "ada": 20}, deals=100, name="m0003"),
]
GROUPS = {"ada": ("ada",), "m": ("m.1", "m.2"), "gone": ("gone",)}
USED = {
    "m.1": Usage(tokens_in=900, tokens_out=100, calls=10, cost_millionths=3_000_000),
    "m.2": Usage(tokens_in=1000, calls=10, cost_millionths=1_000_000),
}


def board(results: list[MatchResult], used: dict[str, Usage]) -> tuple[ModelRow, ...]:
    rules = RuleCounter(
        {"m.1": BlockCounts([10, 10], {"R5.2": [(0, 1)]}), "m.2": BlockCounts([20], {"R5.2": [(0, 3)]})}
    )
    rows = standings("demo", "session", "", results, ["ada", "m.1", "m.2"]).rows
    return model_board(model_plays(rows, results, GROUPS, rules.pool(GROUPS).summarise([*GROUPS])), used)


def test_repeats_are_one_row_in_which_a_match_of_both_is_one_block() -> None:
    model, ada = board(MATCHES, USED)
    assert (model.play.name, model.play.bots, model.play.deals) == ("m", ("m.1", "m.2"), 400)
    assert model.play.skill == estimate_per_100([Block(30, 100), Block(20, 100), Block(-20, 200)])
    assert model.play.spread == (-7.5, 22.5)
    assert model.play.following
    rate = model.play.following.rate_of(ALL)
    assert rate
    assert (model.play.following.decisions, rate.times, rate.per_100) == (40, 4, 10.0)
    assert (ada.play.name, ada.play.spread) == ("ada", None)
    assert ada.play.skill == estimate_per_100([Block(-30, 50), Block(-20, 50), Block(20, 100)])


def test_in_duplicate_the_skill_is_less_the_luck_as_in_the_standings() -> None:
    blocks = tuple(DealResult((n, 840 - n, -840), (32 * n, -32 * n, 0)) for n in range(5))
    totals = [sum(block.chips[seat] for block in blocks) for seat in range(3)]
    ranks = ranks_of(totals)
    seats = [SeatResult(bot, totals[n], ranks[n], 0, 0, 0, 0, 0) for n, bot in enumerate(("ada", "bob", "cy"))]
    results = [MatchResult("m0001", 5, tuple(seats), 840, blocks)]
    rows = standings("demo", "duplicate", "", results, ["ada", "bob", "cy"]).rows
    for play in model_plays(rows, results, {row.bot: (row.bot,) for row in rows}, ()):
        (row,) = (row for row in rows if row.bot == play.name)
        assert play.skill
        assert play.skill.chips_per_100 == pytest.approx(row.adjusted_per_100, abs=1e-3)
        assert play.skill.ci95 == pytest.approx(row.adjusted_ci95, abs=1e-3)


def test_costs_are_for_100_deals_and_for_100_chips_won() -> None:
    model, ada = board(MATCHES, USED)
    assert (model.calls_per_100, model.tokens_per_100, model.cost_per_100) == (5.0, 500.0, 1.0)
    assert model.cost_per_100_chips is None  # its interval reaches below 0
    again = [replace(MATCHES[0], match=f"m{n:04}") for n in range(1, 5)]
    sure, _ = board(again, USED)
    assert sure.cost_per_100_chips == pytest.approx(100 / 30)
    assert (ada.calls_per_100, ada.tokens_per_100, ada.cost_per_100, ada.cost_per_100_chips) == (None,) * 4


def test_who_lost_chips_has_no_cost_per_chips_and_without_usage_there_is_no_board() -> None:
    _, ada = board(MATCHES, {"ada": Usage(calls=1, cost_millionths=1)})
    assert ada.cost_per_100
    assert ada.cost_per_100_chips is None
    assert board(MATCHES, {}) == ()


def test_before_the_first_match_nothing_is_known() -> None:
    for row in board([], USED):
        assert row.play.deals == 0
        assert row.cost_per_100 is None
