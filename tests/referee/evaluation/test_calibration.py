"""What staff read in a calibration: the marks of their own bots, and whether the plan lists these in order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.calibration import StaffMarks, calibrate, calibration_lines
from bourre_referee.evaluation.grade.marking import mark
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
    assert "  coin: 0, 15.0" in lines
    assert "  tight: 30, 30.0" in lines


def test_staff_bots_are_marked_with_the_plans_seed_and_with_those_after_it(tmp_path: Path) -> None:
    """Each plays with a submission's cards, against all staff bots, itself included."""
    known = replace(plan(tmp_path), deals=3)
    found, later = list(calibrate(known, 2)), list(calibrate(replace(known, seed=known.seed + 1), 1))
    assert [(one.bot, len(one.marks), one.rates) for one in found] == [
        ("coin", 3, (-25.4178, -16.82, 44.6053)),
        ("tight", 3, (-5.362, -5.5914, -27.5992)),
    ]
    assert [(one.bot, one.marks, one.rates) for one in later] == [
        (one.bot, one.marks[1:], one.rates[1:]) for one in found
    ]
    last = calibrate(replace(known, seed=2**63 - 1), 1)
    assert next(last).rates[1] == next(calibrate(replace(known, seed=0), 0)).rates[0]
