"""The lasting record of an assignment: nothing in it is lost, and one student marked again changes one row."""

from __future__ import annotations

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from xml.etree import ElementTree

import pytest

from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.record.fingerprints import files_digest
from bourre_referee.model.errors import ContestError
from tests.referee.evaluation.term_class import Term
from tests.referee.plans import PLAN, plan

SHEETS = ("marks.csv", "grades.csv", "versions.csv")


@pytest.fixture
def course(tmp_path: Path) -> Term:
    return Term.begun(plan(tmp_path, f"{PLAN}\n[term]\ndeadline = 2026-11-20T12:00:00Z\n"), tmp_path)


def test_one_student_marked_again_changes_one_row_of_each_sheet(course: Term) -> None:
    for student in ("ada", "Bob", "cyd"):
        course.enter(course.result("a", 50.0, student))
    before = {name: course.sheet(name).splitlines() for name in SHEETS}
    course.enter(course.result("b", 90.0, "Bob"))
    for name in SHEETS:
        kept, now = before[name], course.sheet(name).splitlines()
        assert [line.split(",")[1] for line in kept[1:]] == ["ada", "Bob", "cyd"]
        assert [line.split(",")[1] for line in now if line not in kept]
        assert [line for line in now if ",Bob," not in line] == [line for line in kept if ",Bob," not in line]


def test_calls_at_the_same_time_lose_no_row(course: Term) -> None:
    students = [f"student {number}" for number in range(8)]
    together = Barrier(len(students))

    def enter(student: str) -> None:
        together.wait()
        course.enter(course.result("a", 50.0, student))

    with ThreadPoolExecutor(len(students)) as pool:
        list(pool.map(enter, students))
    for name in SHEETS:
        assert [row["student"] for row in csv.DictReader(io.StringIO(course.sheet(name)))] == students


NAMES = (
    "<b>&amp;\"'</b>",
    "=HYPERLINK(1)",
    "\u05d0\u05d3\u05d4 \u05dc\u05d1\u05dc\u05d9\u05e1",
    "@" + 31 * "x",
    "\N{BLACK CLUB SUIT}\N{GRINNING FACE}",
    "a,b;c\\nd",
)


def test_hostile_names_are_text_in_every_sheet(course: Term) -> None:
    for student in NAMES:
        course.enter(replace(course.result("a", 50.0, student), trouble=f"={student}", folder="x"), ident=f"+{student}")
    for name in SHEETS:
        rows = list(csv.reader(io.StringIO(course.sheet(name))))
        assert [row[1].removeprefix("'") for row in rows[1:]] == sorted(NAMES, key=str.casefold)
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "-"))]
    suite = ElementTree.fromstring(course.sheet("junit.xml").partition("\n")[2])[0]
    assert {case.get("classname") for case in suite} == set(NAMES)
    assert all(name in course.sheet("summary.txt") for name in NAMES)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is damaged ("),
        ("[]", "is damaged (the file: "),
        ('{"submissions": 3}', "is damaged (TypeError)"),
        ('{"assignment": "week-3"}', "is damaged (KeyError)"),
        ('{"format": 3}', "is from a newer version of bourre (format).\nhint: use that version"),
        ('{"format": 2, "colour": 1}', "is from a newer version of bourre (colour)."),
        ('{"format": 2, "assignment": 7}', "is damaged (assignment: Input should be a valid string)"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_and_never_overwritten(course: Term, text: str, says: str) -> None:
    course.enter(course.result("a", 50.0))
    file = course.outputs.staff / "marks.json"
    if text.startswith('{"format": 2'):
        text = json.dumps(json.loads(file.read_text()) | json.loads(text))
    file.write_text(text)
    for attempt in (lambda: course.book().named(()), lambda: course.enter(course.result("b", 60.0))):
        with pytest.raises(ContestError) as told:
            attempt()
        assert f"{file} {says}" in str(told.value)
    assert file.read_text() == text


def test_a_folder_has_the_marks_of_one_assignment(course: Term) -> None:
    course.enter(course.result("a", 50.0))
    other = replace(course, plan=replace(course.plan, name="week-4"))
    with pytest.raises(ContestError, match=r"has the marks of 'week-3', not of 'week-4'.\nhint: pass another folder"):
        other.book().named(())


RATE = {"per_100": 12.5, "ci95": [1.0, 24.0]}
FORMER = {
    "assignment": "week-3",
    "seed": 5823946712389,
    "seed_text": "5823946712389",
    "practice_seed": 7,
    "practice_seed_text": "7",
    "submissions": [
        {
            "student": "ada",
            "id": "1815",
            "leaderboard_name": "red-fox-1",
            "points": 40.0,
            "items": [{"name": "legal cards", "points": 40.0, "of": 100.0, "found": "nothing wrong in 8 deals"}],
            "trouble": "",
            "failure": "",
            "isolation": "bwrap",
            "deals": 8,
            "house_deals": 0,
            "reneges": {},
            "faults": {"late": 2},
            "chips_per_100": {"all": {"less_luck": RATE, "as_it_was": RATE | {"ci95": None}}},
            "records": "runs/ada",
        }
    ],
}
"""The marks of one call, as the version before the record wrote them."""


def test_marks_of_before_there_was_a_record_are_taken_over(course: Term) -> None:
    """Nobody is late by them, and the same files stay the same version."""
    (course.outputs.staff / "marks.json").write_text(json.dumps(FORMER))
    played = course.outputs.runs / "ada" / "work" / "submission"
    played.mkdir(parents=True)
    (played / "bot.py").write_text("run()")
    course.enter(course.result("a", 50.0, "bob"))
    assert (course.counts("ada"), course.counts("bob")) == ((1, 40), (1, 50))
    assert "1815,ada,40.0,100.0,,red-fox" not in course.sheet("marks.csv"), "the name is by the present secret"
    assert ",1,1,,unknown,0,0.0," in course.sheet("marks.csv")
    course.enter(course.result(files_digest(played), 60.0, "ada"))
    assert course.counts("ada") == (1, 60)
    course.enter(GradingResult("ada", "", None, folder="ada", digest="b", failure="no room"))
    assert "version 2 is not marked: no room" in course.sheet("marks.csv")
