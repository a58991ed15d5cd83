"""`bourre course new`: exercises that students and staff can use at once, with seeds that nobody knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bourre.bot_code.example_folders import shipped_folders
from bourre_referee.evaluation.grade.plan.grading_plan import load
from tests.referee.command import Bourre, called

NAMES = ["1-legal-play", "2-counting", "3-sampling", "4-opponents"]


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    """Runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return called


def test_staff_and_students_get_what_each_exercise_needs(bourre: Bourre) -> None:
    done = bourre("course", "new", "term course")
    assert done.code == 0
    assert "bourre grade submissions --plan 'term course/staff/1-legal-play/grade.toml'" in done.err
    made = sorted(path.relative_to("term course").as_posix() for path in Path("term course").rglob("*.*"))
    for_students = [f"students/{name}/{file}" for name in NAMES for file in ("README.md", "bot.py")]
    assert made == [*(f"staff/{name}/grade.toml" for name in NAMES), *for_students]
    assert Path("term course", "staff").stat().st_mode & 0o077 == 0
    plans = [load(Path("term course", "staff", name, "grade.toml"), list(shipped_folders())) for name in NAMES]
    assert [plan.name for plan in plans] == NAMES
    assert [plan.points for plan in plans] == [100] * 4
    assert [name for name, plan in zip(NAMES[1:], plans, strict=False) if name not in plan.next] == []
    seeds = {str(plan.seed) for plan in plans}
    bourre("course", "new", "again")
    again = [load(Path("again", "staff", name, "grade.toml"), list(shipped_folders())).seed for name in NAMES]
    assert len(seeds | {*map(str, again)}) == 8
    given = "".join(Path("term course", file).read_text() for file in for_students)
    assert [seed for seed in seeds if seed in given] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_commands_that_play_and_the_points_of_the_plan(bourre: Bourre, name: str) -> None:
    """Only the first starter breaks the rules: mending it is the exercise."""
    bourre("course", "new", "course")
    page = Path("course", "students", name, "README.md").read_text()
    plan = load(Path("course", "staff", name, "grade.toml"), list(shipped_folders()))
    staff = ",".join(bot.name for bot in plan.staff)
    assert f"bourre practice bot.py --against {staff} " in page
    asked = {f"{threshold.points:g}" for threshold in plan.thresholds}
    assert [points for points in asked if not re.search(rf"\({points}( points)?\)", page)] == []
    bot = Path("course", "students", name, "bot.py")
    done = bourre("practice", bot, "--against", staff, "--deals", 20)
    assert ("breaks R5" in done.err) == (name == NAMES[0])
    assert (done.code == 0) == (name != NAMES[0])


def test_a_folder_with_something_in_it_is_left_alone(bourre: Bourre) -> None:
    Path("mine").mkdir()
    Path("mine", "notes").touch()
    refused = bourre("course", "new", "mine")
    assert refused.code == 2
    assert refused.err == "bourre: mine is not empty.\nhint: pass a new folder, such as bourre course new mycourse\n"
    assert [path.name for path in Path("mine").iterdir()] == ["notes"]
