"""Marks: each item follows from the records alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.marks.marking import NOT_PLAYED, MarkEvidence, mark, mark_without_points, rate
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from tests.referee.plans import evidence, plan


@pytest.fixture
def known(tmp_path: Path) -> Plan:
    return plan(tmp_path)


def points(known: Plan, found: MarkEvidence) -> list[float]:
    return [item.points for item in mark(known, found).items]


def test_a_bot_that_wins_and_does_nothing_wrong_has_all_points(known: Plan) -> None:
    given = mark(known, evidence((3, -2, -1)))
    assert (given.points, given.max_points) == (100, 100)
    assert all(item.passed for item in given.items)


@pytest.mark.parametrize(
    ("chips", "asked"),
    [((1, 1, -2), 15.0), ((1, 0, -1), 25.0), ((-1, 1, 0), 0.0), ((0, 1, -1), 5.0), ((2, 0, -2), 30.0)],
)
def test_points_grow_evenly_between_the_ends_of_a_threshold(
    known: Plan, chips: tuple[int, int, int], asked: float
) -> None:
    """In three seatings one chip per deal is 33.3 per 100, and 30 points cover -50 to 50."""
    assert rate(evidence(chips), "coin").chips_per_100 == pytest.approx((chips[0] - chips[1]) * 100 / 3, abs=1e-4)
    assert points(known, evidence(chips))[3] == pytest.approx(asked)


def test_a_rate_against_one_is_of_the_matches_in_which_both_sat() -> None:
    met, other = evidence((1, -1, 0)).results[0], evidence((-3, 2, 1)).results[0]
    without = replace(
        other, match="m0002", seats=(other.seats[0], replace(other.seats[1], bot="loose"), other.seats[2])
    )
    both = MarkEvidence((met, without))
    assert rate(both, "coin") == rate(MarkEvidence((met,)), "coin") != rate(both)
    assert rate(both, "tight").deals == 2 * rate(both, "coin").deals


def test_without_a_lower_end_it_is_all_or_nothing(known: Plan) -> None:
    assert points(known, evidence((1, -1, 0)))[4] == 30
    assert points(known, evidence((0, -1, 1)))[4] == 0


@pytest.mark.parametrize(
    ("found", "given"),
    [
        (evidence((3, -2, -1), broken=(("R5.2", 1),)), [0, 10, 10, 30, 30]),
        (evidence((3, -2, -1), faults=(("late", 1),)), [20, 10, 0, 30, 30]),
        (evidence((3, -2, -1), faults=(("stalled", 1),)), [20, 10, 0, 30, 30]),
        (evidence((3, -2, -1), faults=(("error", 2),)), [20, 0, 10, 30, 30]),
        (evidence((3, -2, -1), house_deals=1), [20, 10, 10, 30, 30]),
        (evidence((3, -2, -1), faults=(("crashed", 1),), house_deals=2), [0, 0, 0, 0, 0]),
    ],
    ids=["renege", "late", "stalled", "error", "house once of twelve", "house more than one in ten"],
)
def test_what_went_wrong_costs_its_own_points(known: Plan, found: MarkEvidence, given: list[float]) -> None:
    assert points(known, found) == given


def test_few_mistakes_cost_a_share_where_the_plan_says_so(known: Plan) -> None:
    shared = replace(known, conformance=known.conformance.model_copy(update={"zero_at": 10.0}))
    once = evidence((3, -2, -1), broken=(("R5.2", 1),), faults=(("late", 2), ("error", 3)), deals=20)
    assert once.playings == 60
    assert points(known, once)[:3] == [0, 0, 0]
    assert points(shared, once)[:3] == [16.67, 5.0, 6.67]
    assert points(shared, evidence((3, -2, -1), broken=(("R5.2", 6),), deals=20))[0] == 0
    assert points(shared, evidence((3, -2, -1), house_deals=7, deals=20))[:3] == [0, 0, 0]


@pytest.mark.parametrize("deals", [10, 100, 1000])
def test_exactly_one_deal_in_ten_may_be_the_houses(deals: int) -> None:
    tenth = evidence((3, -2, -1), house_deals=3 * deals // 10, deals=deals)
    assert tenth.house_deals * 10 == tenth.playings
    assert tenth.played_itself
    assert not evidence((3, -2, -1), house_deals=3 * deals // 10 + 1, deals=deals).played_itself


def test_what_the_house_won_is_not_the_bots(known: Plan) -> None:
    given = mark(known, evidence((3, -2, -1), house_deals=12))
    assert given.points == 0
    assert "the referee played 12 of 12 deals" in given.items[3].explanation


def test_reneges_are_told_by_rule(known: Plan) -> None:
    found = evidence((0, 0, 0), broken=(("R5.2", 2), ("R6.2", 1)))
    assert mark(known, found).items[0].explanation == "R5.2: 2 times, R6.2: once"


def test_a_submission_that_did_not_play_has_none_of_the_same_items(known: Plan) -> None:
    nothing, full = mark_without_points(known), mark(known, evidence((3, -2, -1)))
    assert (nothing.points, nothing.max_points) == (0, full.max_points)
    assert [(item.name, item.max_points) for item in nothing.items] == [
        (item.name, item.max_points) for item in full.items
    ]
    assert {item.explanation for item in nothing.items} == {NOT_PLAYED}
    practised = evidence((0, 0, 0), faults=(("error", 12),), house_deals=3)
    referee = "the referee played 3 of 12 practice deals for this bot"
    assert [item.explanation for item in mark_without_points(known, practised).items[:3]] == [
        referee,
        f"error: 12 times, {referee}",
        referee,
    ]
