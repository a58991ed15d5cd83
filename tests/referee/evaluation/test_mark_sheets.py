"""What is written about a class: no names where all may look, no formulas, no mark where the harness failed."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bourre_referee.evaluation.grade.grades_folder import Outputs
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.marks.marking import MarkEvidence, mark, mark_without_points
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.record.counted_marks import CountedMark, counted_marks
from bourre_referee.evaluation.grade.record.marks_record import MarksRecord
from bourre_referee.evaluation.grade.sheets.feedback import feedback
from bourre_referee.evaluation.grade.sheets.gradescope import results_json
from bourre_referee.evaluation.grade.sheets.leaderboard import leaderboard, pseudonym, read_salt
from bourre_referee.evaluation.grade.sheets.mark_sheets import grade_sheet, junit, mark_sheet
from bourre_referee.evaluation.packages.environments import Environment
from bourre_referee.model.errors import ContestError
from tests.referee.evaluation.term_class import recorded
from tests.referee.plans import PLAN, evidence, plan


@pytest.fixture
def known(tmp_path: Path) -> Plan:
    return plan(tmp_path)


def graded_class(known: Plan) -> list[GradingResult]:
    """A class of four: one that wins, one that loses, one that does not start, one that could not be marked."""
    won, lost = evidence((3, -2, -1)), evidence((-3, 2, 1))
    return [
        GradingResult("=lost()", "red-fox-1", mark(known, lost), evidence=lost, folder="lost"),
        GradingResult("ada", "red-fox-2", mark(known, won), evidence=won, folder="ada"),
        GradingResult("cy", "red-fox-3", mark_without_points(known), trouble="no bot.py", folder="cy"),
        GradingResult("dee", "red-fox-4", None, failure="=the disk is full", folder="dee"),
    ]


def marked(known: Plan, graded: list[GradingResult]) -> tuple[CountedMark, ...]:
    """The marks of these results, in a record of their own."""
    return counted_marks(known, recorded(known, graded))


def told(known: Plan, graded: GradingResult) -> dict[str, object]:
    """What the record tells staff of one version."""
    ((version,),) = (one.versions for one in recorded(known, [graded]).submissions)
    return version.model_dump()


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_mark_sheet_has_everyone_with_the_cause_beside_the_points_and_no_formula(known: Plan) -> None:
    head, *lines = rows(mark_sheet(known, marked(known, graded_class(known))))
    assert head[:6] == ["id", "student", "points", "of", "remark", "leaderboard_name"]
    assert [line[1:6] for line in lines] == [
        ["'=lost()", "40.0", "100.0", "", "red-fox-1"],
        ["ada", "100.0", "100.0", "", "red-fox-2"],
        ["cy", "0.0", "100.0", "no bot.py", "red-fox-3"],
        ["dee", "", "", "not marked: =the disk is full", "red-fox-4"],
    ]
    assert {len(line) for line in lines} == {len(head)}
    assert not [cell for line in [head, *lines] for cell in line if cell.startswith(("=", "+", "@"))]


def test_gradebooks_get_the_ids_of_the_course_system_as_they_are(known: Plan) -> None:
    first, second, *others = graded_class(known)
    marks = marked(known, [replace(first, id="=1815"), replace(second, id="007"), *others])
    assert [line[0] for line in rows(mark_sheet(known, marks))] == ["id", "'=1815", "'007", "", ""]
    assert rows(grade_sheet(known, marks)) == [
        ["id", "student", "week-3"],
        ["'=1815", "'=lost()", "40.0"],
        ["007", "ada", "100.0"],
        ["", "cy", "0.0"],
    ]


def test_the_leaderboard_has_who_played_best_first_and_no_name(known: Plan) -> None:
    text = leaderboard(marked(known, graded_class(known)))
    assert [line[:3] for line in rows(text)[1:]] == [["1", "red-fox-2", "100.0"], ["2", "red-fox-1", "40.0"]]
    assert not [name for name in ("ada", "lost", "cy", "dee") if name in text]


def test_the_leaderboard_has_no_digits_that_tell_a_copy(known: Plan) -> None:
    """A bot that differs by little has the same line as a copy, and pseudonyms order them."""
    copied, (copy,) = graded_class(known)[1], marked(known, graded_class(known)[1:2])
    assert copy.counts is not None
    version = copy.counts.version
    rate = version.chips_per_100["all"]
    fewer = rate.model_copy(update={"less_luck": rate.less_luck.model_copy(update={"per_100": 96.3})})
    close = version.model_copy(
        update={
            "chips_per_100": {"all": fewer},
            "items": (
                *version.items[1:],
                version.items[0].model_copy(update={"points": version.items[0].points - 2.4}),
            ),
        }
    )
    record = recorded(known, [copied, replace(copied, student="bob", pseudonym="red-fox-9")])
    other = copy.who.model_copy(update={"student": "cyd", "leaderboard_name": "red-fox-0", "versions": (close,)})
    record = record.model_copy(update={"submissions": (*record.submissions, other)})
    assert rows(leaderboard(counted_marks(known, record)))[1:] == [
        ["1", "red-fox-0", "100.0", "100.0", "100"],
        ["1", "red-fox-2", "100.0", "100.0", "100"],
        ["1", "red-fox-9", "100.0", "100.0", "100"],
    ]


@pytest.mark.parametrize(("house_deals", "ranked"), [(6, True), (7, False)])
def test_a_bot_that_did_not_play_half_of_its_deals_is_on_no_leaderboard(
    known: Plan, house_deals: int, ranked: bool
) -> None:
    found = evidence((3, -2, -1), house_deals=house_deals)
    eve = GradingResult("eve", "red-fox-5", mark(known, found), evidence=found, folder="eve")
    assert ("red-fox-5" in leaderboard(marked(known, [*graded_class(known), eve]))) is ranked
    assert ("red-fox-5" in feedback(known, eve)) is ranked
    assert (len(json.loads(results_json(known, eve))["leaderboard"]) == 2) is ranked
    assert (told(known, eve)["chips_per_100"] != {}) is ranked


def test_who_is_on_the_leaderboard_is_told_the_name_there(known: Plan) -> None:
    named = {one.pseudonym for one in graded_class(known) if one.pseudonym in feedback(known, one)}
    assert (
        named
        == {name for _, name, *_ in rows(leaderboard(marked(known, graded_class(known))))[1:]}
        == {"red-fox-1", "red-fox-2"}
    )


def test_junit_has_a_case_for_the_mark_and_one_for_each_item(known: Plan) -> None:
    suite = ElementTree.fromstring(junit(known, marked(known, graded_class(known))).partition("\n")[2])[0]
    failed = [
        (case.get("classname"), failure.get("message"))
        for case in suite
        if (failure := case.find("failure")) is not None
    ]
    assert len(suite) == 3 * 6 + 1
    assert [name for name, _ in failed] == ["=lost()", "=lost()", *["cy"] * 6, "dee"]
    assert (failed[2], failed[-1]) == (("cy", "no bot.py"), ("dee", "not marked: =the disk is full"))


def test_gradescope_is_told_scores_and_a_leaderboard(known: Plan) -> None:
    document = json.loads(results_json(known, graded_class(known)[1]))
    assert document["score"] == 100
    assert sum(test["score"] for test in document["tests"]) == document["score"]
    assert {test["visibility"] for test in document["tests"]} == {"visible"}
    assert document["stdout_visibility"] == "hidden"
    assert [entry["name"] for entry in document["leaderboard"]] == ["points", "chips per 100 deals"]
    assert [entry["value"] for entry in document["leaderboard"]] == [100, 100]


def test_a_bot_that_does_not_start_has_zero_points_and_the_reason(known: Plan) -> None:
    document = json.loads(results_json(known, graded_class(known)[2]))
    assert document["score"] == 0
    assert "no bot.py" in document["output"]
    assert {test["status"] for test in document["tests"]} == {"failed"}


def test_where_the_harness_failed_there_is_no_score_and_students_do_not_hear_why(known: Plan) -> None:
    graded = graded_class(known)[3]
    text = results_json(known, graded)
    assert json.loads(text).keys() == {"output", "stdout_visibility"}
    assert "not your fault" in text
    assert "disk" not in text + feedback(known, graded)
    kept = recorded(known, [graded]).model_dump_json()
    assert "disk" in kept
    assert json.loads(kept)["seed_text"] == str(known.seed)


def test_names_on_the_leaderboard_stay_and_depend_on_the_salt(tmp_path: Path) -> None:
    salt = read_salt(tmp_path / "salt")
    assert (tmp_path / "salt").stat().st_mode & 0o777 == 0o600
    assert read_salt(tmp_path / "salt") == salt
    assert pseudonym("ada", salt) == pseudonym("ada", salt)
    assert len({pseudonym("ada", salt), pseudonym("bob", salt), pseudonym("ada", read_salt(tmp_path / "other"))}) == 3


def test_the_command_for_home_names_only_bots_that_students_have(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    known = plan(tmp_path, PLAN.replace('bot = "tight"', 'bot = "mine.py"'))
    told = feedback(known, replace(graded_class(known)[1], command=("python", "submission/bot.py")))
    assert "To play such deals at home, as here, " in told
    assert "bourre practice bot.py --against random,random --deals 2000 --seed 7 --rules limit" in told
    assert "mine" not in told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("python", "submission/src/main.py"), "bourre practice src/main.py --against random,tight --deals 2000"),
        (("node", "submission/bot.js"), "bourre check --command 'node bot.js' --files . --deals 2000"),
        (("python", "submission/bot.py", "--fast"), "bourre check --command 'python bot.py --fast' --files ."),
    ],
)
def test_the_command_for_home_is_one_that_plays_this_bot(known: Plan, command: tuple[str, ...], told: str) -> None:
    assert f"  {told}" in feedback(known, replace(graded_class(known)[1], command=command))


def test_staff_see_every_rate_with_luck_and_without(known: Plan, tmp_path: Path) -> None:
    """A chip of luck in each deal, of which 0.7 count, over three seatings."""
    (won,) = evidence((3, -2, -1)).results
    lucky = replace(won, blocks=tuple(replace(block, luck=(26_880, 0, -26_880)) for block in won.blocks))
    ada = replace(graded_class(known)[1], evidence=MarkEvidence((lucky,), (("late", 2),)))
    version = told(known, replace(ada, environment=Environment("5eed", ("lucky==1.0",))))
    assert version["packages"] == {"digest": "5eed", "installed": ("lucky==1.0",)}
    rates = version.pop("chips_per_100")
    assert isinstance(rates, dict)
    assert {of: [rate[how]["per_100"] for how in rate] for of, rate in rates.items()} == {
        "all": [76.6667, 100.0],
        "coin": [143.3333, 166.6667],
        "tight": [86.6667, 133.3333],
    }
    items = version.pop("items")
    assert isinstance(items, tuple)
    assert [(item["name"], item["points"], item["of"]) for item in items][2:4] == [
        ("on time", 10, 10),
        ("against coin, +50", 30, 30),
    ]
    counts = {"deals": 12, "house_deals": 0, "reneges": {}, "faults": {"late": 2}, "records": "runs/ada"}
    assert {key: version[key] for key in counts} == counts


def test_students_see_their_own_folder_and_staff_alone_see_the_rest(known: Plan, tmp_path: Path) -> None:
    outputs, graded = Outputs(tmp_path / "out"), graded_class(known)
    kept = marked(known, graded)
    for _ in range(2):
        outputs.make()
        outputs.marks(known).change(lambda record: record)
        for one in graded[:2]:
            outputs.write_one(known, one)
        outputs.write_all(known, kept)
        assert outputs.write_copies("alike\n").read_text() == "alike\n"
    files = {path.relative_to(outputs.folder).as_posix(): path for path in outputs.folder.rglob("*") if path.is_file()}
    sheets = ("copies.txt", "grades.csv", "junit.xml", "marks.csv", "marks.json", "summary.txt", "versions.csv")
    private = {f"staff/{name}" for name in (*sheets, "marks.json.lock")}
    own = {f"students/{student}/{name}" for student in ("ada", "lost") for name in ("feedback.txt", "results.json")}
    assert files.keys() == {".bourre-grades", "leaderboard.csv", *private, *own}
    assert {files[name].stat().st_mode & 0o777 for name in private} == {0o600}
    assert (outputs.staff.stat().st_mode & 0o777, outputs.runs.is_dir()) == (0o700, True)
    assert files["students/ada/feedback.txt"].read_text() == feedback(known, graded[1])
    assert files["students/lost/results.json"].read_text() == results_json(known, graded[0])
    assert files["staff/marks.csv"].read_text() == mark_sheet(known, kept)
    assert MarksRecord.model_validate_json(files["staff/marks.json"].read_text()).seed == known.seed
    assert files["leaderboard.csv"].read_text() == leaderboard(kept)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine").touch()
    with pytest.raises(ContestError, match="other contains mine"):
        Outputs(tmp_path / "other").make()
