"""What staff read in a calibration: the marks of their own bots, and whether the plan lists these in order."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.calibration import StaffMarks, calibrate, calibration_lines
from bourre_referee.evaluation.grade.marks.marking import mark
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from tests.referee.plans import evidence, plan

WRONG = "coin is before tight in the plan, which lists the weakest first, but wins more"


@pytest.mark.parametrize(("coin", "told"), [((10.0, 90.0, 50.0), True), ((90.0, 10.0, 20.0), False)])
def test_a_stronger_bot_before_a_weaker_one_is_told(tmp_path: Path, coin: tuple[float, ...], told: bool) -> None:
    """Over all seeds, coin wins 50 or 40 chips per 100 deals, tight 45."""
    known = plan(tmp_path)
    best, worst = mark(known, evidence((3, -2, -1))), mark(known, evidence((-3, 2, 1)))
    found = (StaffMarks("coin", (worst, best, worst), coin), StaffMarks("tight", (best,) * 3, (45.0, 45.0, 45.0)))
    lines = list(calibration_lines(known, iter(found)))
    assert (WRONG in lines) == told
    assert lines[2].split()[:6] == ["coin", "40", "70.0", "42.4", "40", "100"]
    assert f"Luck moves a mark by 42.4 points (sd), more than a grade, 10.\nhint: deals = {18 * known.deals}" in lines
    assert not [line for line in lines if "has all points" in line]
    assert "  coin: 0, 15.0" in lines
    assert "  tight: 30, 30.0" in lines


def test_thresholds_that_a_bot_without_any_work_meets_are_told(tmp_path: Path) -> None:
    known = plan(tmp_path)
    best, worst = mark(known, evidence((3, -2, -1))), mark(known, evidence((-3, 2, 1)))
    marks = {"coin": best, "(starter)": best, "(lowest)": worst, "(counter)": best}
    found = [StaffMarks(name, (one, one, one), (0.0,) * 3) for name, one in marks.items()]
    lines = list(calibration_lines(known, iter(found)))
    wrong = "(starter) has all points of 'against coin, +50' and 'against all, +10'."
    assert [line for line in lines if "hint" in line] == [f"{wrong}\nhint: raise per_100, or take stronger bots"]


def test_the_starter_and_examples_that_are_no_staff_are_marked_too(tmp_path: Path) -> None:
    known = replace(plan(tmp_path), deals=1)
    marked = [one.bot for one in calibrate(known, 0)]
    assert marked == ["coin", "tight", "(starter)", "(lowest)", "(counter)"]


def after(known: Plan) -> Plan:
    """The plan with the next seed."""
    return replace(known, seed=known.seed + 1)


def test_staff_bots_are_marked_with_the_plans_seed_and_with_those_after_it(tmp_path: Path) -> None:
    """Each plays with a submission's cards, against all staff bots, itself included."""
    known = replace(plan(tmp_path), deals=3)
    found, later = (list(islice(calibrate(one, seeds), 2)) for one, seeds in ((known, 2), (after(known), 1)))
    assert [(one.bot, len(one.marks), one.rates) for one in found] == [
        ("coin", 3, (-15.3125, -12.1458, 28.7572)),
        ("tight", 3, (-8.4722, 59.4511, -52.3111)),
    ]
    assert [(one.bot, one.marks, one.rates) for one in later] == [
        (one.bot, one.marks[1:], one.rates[1:]) for one in found
    ]
    last = calibrate(replace(known, seed=2**63 - 1), 1)
    assert next(last).rates[1] == next(calibrate(replace(known, seed=0), 0)).rates[0]
