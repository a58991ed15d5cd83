"""The exercises of `bourre course new`, graded: a good solution, a middling one and the unchanged starter.

The plans have other seeds each time, so the bounds hold for any.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bourre_referee.evaluation.starters.course.course_kit import EXERCISES
from tests.referee.command import called_in
from tests.referee.plans import EXAMPLES

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

COMES_IN = "        return True  # TODO: what do self.declared[seat] and the hand say?\n"
AS_OFTEN_AS_SEEN = """\
        seen = self.declared.get(seat, [])
        return view.rng.random() < (sum(seen) + 1) / (len(seen) + 4)
"""


def solutions(starters: dict[str, str], name: str) -> dict[str, str]:
    """The text of a good and of a middling bot, and the unchanged starter."""
    examples = {file: (EXAMPLES / f"{file}.py").read_text() for file in ("drawer", "counter", "monte_carlo")}
    good, middling = {
        "1-legal-play": (examples["counter"], starters["2-counting"]),
        "2-counting": (examples["counter"], starters["3-sampling"]),
        "3-sampling": (examples["monte_carlo"], examples["drawer"]),
        "4-opponents": (
            examples["monte_carlo"],
            starters["4-opponents"].replace(COMES_IN, AS_OFTEN_AS_SEEN),
        ),
    }[name]
    return {"good": good, "middling": middling, "bad": starters[name]}


@pytest.mark.parametrize(
    ("name", "good", "middling", "bad"),
    [
        ("1-legal-play", 93, (78, 98), 40),
        ("2-counting", 90, (30, 65), 30),
        ("3-sampling", 95, (40, 94), 30),
        ("4-opponents", 80, (40, 95), 48),
    ],
)
def test_a_good_solution_gets_nearly_all_points_and_the_unchanged_starter_under_half(
    tmp_path: Path, name: str, good: float, middling: tuple[float, float], bad: float
) -> None:
    assert called_in(tmp_path, "course", "new", "course").code == 0
    starters = {one: (tmp_path / "course" / "students" / one / "bot.py").read_text() for one in EXERCISES}
    for student, bot in solutions(starters, name).items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "bot.py").write_text(bot)
    plan = tmp_path / "course" / "staff" / name / "grade.toml"
    done = called_in(tmp_path, "grade", "class", "--plan", plan, "--allow-unboxed")
    assert done.code == 0, done.err
    with (tmp_path / "grades" / name / "staff" / "marks.csv").open(newline="") as sheet:
        points = {row["student"]: float(row["points"]) for row in csv.DictReader(sheet)}
    print(name, points)
    assert points["good"] >= good
    assert middling[0] <= points["middling"] <= middling[1]
    assert points["bad"] <= bad
    told = (tmp_path / "grades" / name / "students" / "bad" / "feedback.txt").read_text()
    assert "To gain next: " in told
