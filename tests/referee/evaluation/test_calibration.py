"""What staff read in a calibration: the marks of their own bots, and whether the plan lists these in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.calibration import StaffMarks, calibration_lines
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
