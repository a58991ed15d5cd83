"""Plan files: how they are read, and every error with its line and its fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.plan.grading_plan import Conformance, Threshold, load
from bourre_referee.model.errors import ContestError
from tests.referee.plans import EXAMPLES, PLAN, plan

TEACH = EXAMPLES.parent / "docs" / "teach.md"


def test_a_plan_is_what_its_file_says(tmp_path: Path) -> None:
    known = plan(tmp_path)
    assert (known.name, known.seed, known.practice_seed) == ("week-3", 5823946712389, 7)
    assert [(bot.name, bot.file, bot.example) for bot in known.staff] == [
        ("coin", EXAMPLES / "random_bot.py", "random"),
        ("tight", EXAMPLES / "tight.py", "tight"),
    ]
    assert known.thresholds == (
        Threshold(points=30, per_100=50, against="coin", zero_at=-50),
        Threshold(points=30, per_100=10),
    )
    assert known.conformance == Conformance(legal=20, no_faults=10, on_time=10)
    assert known.points == 100


def test_a_staff_bot_of_ones_own_lies_beside_the_plan_and_is_no_example(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    known = plan(tmp_path, PLAN.replace('bot = "tight"', 'bot = "mine.py"'))
    assert (known.staff[1].file, known.staff[1].example) == (tmp_path / "mine.py", None)


def test_where_there_is_no_plan_the_option_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ContestError, match=r"Cannot read .*grade\.toml: .*\.\nhint: pass the path of a plan file with --plan$"
    ):
        load(tmp_path / "grade.toml", [])


MARKS = PLAN[PLAN.index("[[mark]]") :]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("legal = 20", "leagl = 20", "21: [conformance] Unknown key 'leagl'. Did you mean 'legal'?"),
        ("[conformance]", "[conformnace]", "20: Unknown section 'conformnace'. Did you mean 'conformance'?"),
        (
            'against = "coin"',
            'against = "coyn"',
            "27: [[mark]] against: Unknown reference bot 'coyn'. Did you mean 'coin'?",
        ),
        ("zero_at = -50", "zero_at = 50", "29: [[mark]] zero_at = 50 must be less than per_100 = 50"),
        ("per_100 = 10", 'per_100 = "10"', '33: [[mark]] number 2: per_100 = "10": must be a number'),
        ("points = 30\nper", "points = inf\nper", "number 2: points = Infinity: must be "),
        ('name = "coin"', 'name = "submission"', "students' bots have this name"),
        ('name = "coin"', 'name = "tight"', "[[staff]] name = 'tight': another one has this name"),
        ('bot = "tight"', 'bot = "tihgt"', "Unknown bot 'tihgt'"),
        ('bot = "tight"', 'bot = "./tight.py"', "Cannot find './tight.py' in the plan's folder"),
        ("seats = 3", "seats = 4", "6: [table] seats = 4 leaves 3 seats to 2 reference bots"),
        ("seats = 3", "seats = 9", "6: [table] seats = 9: 9 seats cannot play"),
        ("seed = 5823946712389", "seed = 7", "3: [assignment] seed is the practice seed, which students know"),
        ('level = "none"', 'level = "container"', "needs an image"),
        (
            "[table]",
            '[rules]\npreset = "limti"\n\n[table]',
            "6: [rules] Unknown preset 'limti'. Did you mean 'limit'?",
        ),
        (MARKS, "[mark]\n", "25: mark must be written [[mark]], once for each"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_the_fix(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in PLAN
    with pytest.raises(ContestError, match=re.escape(told)):
        plan(tmp_path, PLAN.replace(old, new))


def test_a_plan_without_a_seed_is_told_one_that_was_drawn(tmp_path: Path) -> None:
    drawn = set()
    for _ in range(2):
        with pytest.raises(ContestError, match=r"a seed that nobody can guess: seed = (\d+)") as told:
            plan(tmp_path, PLAN.replace("seed = 5823946712389\n", ""))
        drawn.add(str(told.value))
    assert len(drawn) == 2
    with pytest.raises(ContestError) as other:
        plan(tmp_path, PLAN.replace("seed = 5823946712389", "seed = -1"))
    assert "nobody can guess" not in str(other.value)


def test_a_plan_that_gives_no_points_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match="The plan has no points"):
        plan(tmp_path, PLAN.partition("[conformance]")[0])


def test_the_plan_that_the_documents_show_is_one(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", TEACH.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    known = plan(tmp_path, shown)
    assert known.points == 100
    assert [bot.name for bot in known.staff] == ["random", "tight", "loose"]
