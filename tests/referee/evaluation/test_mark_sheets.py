"""What is written about a class: no names where all may look, no formulas, no mark where the harness failed."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bourre_referee.evaluation.grade.feedback import GradingResult, feedback
from bourre_referee.evaluation.grade.grading_plan import Plan
from bourre_referee.evaluation.grade.mark_sheets import (
    Outputs,
    junit,
    leaderboard,
    mark_sheet,
    pseudonym,
    read_salt,
    results_json,
    staff_report,
)
from bourre_referee.evaluation.grade.marking import MarkEvidence, mark, mark_without_points
from bourre_referee.model.errors import ContestError
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
        GradingResult("cy", "red-fox-3", mark_without_points(known, "no bot.py"), trouble="no bot.py", folder="cy"),
        GradingResult("dee", "red-fox-4", None, failure="=the disk is full", folder="dee"),
    ]


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_mark_sheet_has_everyone_and_no_formula(known: Plan) -> None:
    head, *lines = rows(mark_sheet(graded_class(known)))
    assert head[:4] == ["student", "leaderboard_name", "points", "of"]
    assert [line[:4] for line in lines] == [
        ["'=lost()", "red-fox-1", "40.0", "100.0"],
        ["ada", "red-fox-2", "100.0", "100.0"],
        ["cy", "red-fox-3", "0.0", "100.0"],
        ["dee", "red-fox-4", "", ""],
    ]
    assert lines[3][-1] == "not marked: =the disk is full"
    assert {len(line) for line in lines} == {len(head)}
    assert not [cell for line in [head, *lines] for cell in line if cell.startswith(("=", "+", "@"))]


def test_the_mark_sheet_has_the_ids_of_the_course_system(known: Plan) -> None:
    first, *others = graded_class(known)
    head, *lines = rows(mark_sheet([replace(first, id="=1815"), *others]))
    assert head[:2] == ["id", "student"]
    assert [line[0] for line in lines] == ["'=1815", "", "", ""]
    assert {len(line) for line in lines} == {len(head)}


def test_the_leaderboard_has_who_played_best_first_and_no_name(known: Plan) -> None:
    text = leaderboard(graded_class(known))
    assert [line[:3] for line in rows(text)[1:]] == [["1", "red-fox-2", "100.0"], ["2", "red-fox-1", "40.0"]]
    assert not [name for name in ("ada", "lost", "cy", "dee") if name in text]


@pytest.mark.parametrize(("house_deals", "ranked"), [(6, True), (7, False)])
def test_a_bot_that_did_not_play_half_of_its_deals_is_on_no_leaderboard(
    known: Plan, house_deals: int, ranked: bool
) -> None:
    found = evidence((3, -2, -1), house_deals=house_deals)
    eve = GradingResult("eve", "red-fox-5", mark(known, found), evidence=found, folder="eve")
    assert ("red-fox-5" in leaderboard([*graded_class(known), eve])) is ranked
    assert ("red-fox-5" in feedback(known, eve)) is ranked
    assert (len(json.loads(results_json(known, eve))["leaderboard"]) == 3) is ranked
    assert (json.loads(staff_report(known, [eve]))["submissions"][0]["chips_per_100"] != {}) is ranked


def test_who_is_on_the_leaderboard_is_told_the_name_there(known: Plan) -> None:
    named = {one.pseudonym for one in graded_class(known) if one.pseudonym in feedback(known, one)}
    assert named == {name for _, name, *_ in rows(leaderboard(graded_class(known)))[1:]} == {"red-fox-1", "red-fox-2"}


def test_junit_has_a_case_for_each_item(known: Plan) -> None:
    suite = ElementTree.fromstring(junit(known, graded_class(known)).partition("\n")[2])[0]
    failed = [case.get("classname") for case in suite if case.find("failure") is not None]
    assert len(suite) == 3 * 5 + 1
    assert failed == ["=lost()", "=lost()", *["cy"] * 5, "dee"]


def test_gradescope_is_told_scores_and_a_leaderboard(known: Plan) -> None:
    document = json.loads(results_json(known, graded_class(known)[1]))
    assert document["score"] == 100
    assert sum(test["score"] for test in document["tests"]) == document["score"]
    assert {test["visibility"] for test in document["tests"]} == {"visible"}
    assert document["stdout_visibility"] == "hidden"
    assert [entry["name"] for entry in document["leaderboard"]] == ["points", "chips per 100 deals", "ahead of tight"]
    assert [entry["value"] for entry in document["leaderboard"]] == [100, 100, 133.3]


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
    told = staff_report(known, [graded])
    assert "disk" in told
    assert json.loads(told)["seed_text"] == str(known.seed)


def test_names_on_the_leaderboard_stay_and_depend_on_the_salt(tmp_path: Path) -> None:
    salt = read_salt(tmp_path / "salt")
    assert (tmp_path / "salt").stat().st_mode & 0o777 == 0o600
    assert read_salt(tmp_path / "salt") == salt
    assert pseudonym("ada", salt) == pseudonym("ada", salt)
    assert len({pseudonym("ada", salt), pseudonym("bob", salt), pseudonym("ada", read_salt(tmp_path / "other"))}) == 3


def test_the_command_for_home_names_only_bots_that_students_have(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    known = plan(tmp_path, PLAN.replace('bot = "tight"', 'bot = "mine.py"'))
    told = feedback(known, graded_class(known)[1])
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


def test_staff_see_every_rate_with_luck_and_without(known: Plan) -> None:
    """A chip of luck in each deal, of which 0.7 count, over three seatings."""
    (won,) = evidence((3, -2, -1)).results
    lucky = replace(won, blocks=tuple(replace(block, luck=(26_880, 0, -26_880)) for block in won.blocks))
    ada = replace(graded_class(known)[1], evidence=MarkEvidence((lucky,), (("late", 2),)))
    (told,) = json.loads(staff_report(known, [ada]))["submissions"]
    assert {of: [rate[how]["per_100"] for how in rate] for of, rate in told.pop("chips_per_100").items()} == {
        "all": [76.6667, 100.0],
        "coin": [143.3333, 166.6667],
        "tight": [86.6667, 133.3333],
    }
    assert [(item["name"], item["points"], item["of"]) for item in told.pop("items")][2:4] == [
        ("on time", 10, 10),
        ("against coin, +50", 30, 30),
    ]
    names = {"student": "ada", "id": "", "leaderboard_name": "red-fox-2", "records": "runs/ada"}
    counts = {"points": 100, "deals": 12, "house_deals": 0, "reneges": {}, "faults": {"late": 2}}
    assert told == {**names, **counts, "trouble": "", "failure": "", "isolation": None, "packages": None}


def test_students_see_their_own_folder_and_staff_alone_see_the_rest(known: Plan, tmp_path: Path) -> None:
    outputs, marked = Outputs(tmp_path / "out"), graded_class(known)
    for _ in range(2):
        outputs.make()
        for one in marked[:2]:
            outputs.write_one(known, one)
        outputs.write_all(known, marked)
        assert outputs.write_copies("alike\n").read_text() == "alike\n"
    files = {path.relative_to(outputs.folder).as_posix(): path for path in outputs.folder.rglob("*") if path.is_file()}
    private = {f"staff/{name}" for name in ("copies.txt", "junit.xml", "marks.csv", "marks.json")}
    own = {f"students/{student}/{name}" for student in ("ada", "lost") for name in ("feedback.txt", "results.json")}
    assert files.keys() == {".bourre-grades", "leaderboard.csv", *private, *own}
    assert {files[name].stat().st_mode & 0o777 for name in private} == {0o600}
    assert (outputs.staff.stat().st_mode & 0o777, outputs.runs.is_dir()) == (0o700, True)
    assert files["students/ada/feedback.txt"].read_text() == feedback(known, marked[1])
    assert files["students/lost/results.json"].read_text() == results_json(known, marked[0])
    assert files["staff/marks.csv"].read_text() == mark_sheet(marked)
    assert files["staff/marks.json"].read_text() == staff_report(known, marked)
    assert files["leaderboard.csv"].read_text() == leaderboard(marked)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine").touch()
    with pytest.raises(ContestError, match="other contains mine"):
        Outputs(tmp_path / "other").make()
