"""A term: versions, deadlines, late days and what they cost, limits a day, and who counts as whom."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.intake.class_folder import find_submissions
from bourre_referee.evaluation.grade.intake.submissions import Submission
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.plan.term_section import days_late
from bourre_referee.evaluation.grade.sheets.feedback import feedback
from bourre_referee.evaluation.grade.sheets.gradescope import results_json
from bourre_referee.model.errors import ContestError
from tests.referee.evaluation.term_class import NOON, Term
from tests.referee.plans import PLAN, plan

DAY = timedelta(days=1)
DEADLINE = "deadline = 2026-11-20T12:00:00Z\n"


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is put forward on 29 March 2026 and back on 25 October."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def term(folder: Path, keys: str) -> Term:
    """An assignment with these keys in [term]."""
    return Term.begun(plan(folder, f"{PLAN}\n[term]\n{keys}"), folder)


@pytest.mark.parametrize(
    ("seconds", "days"), [(-1, 0), (0, 0), (1, 1), (86_400, 1), (86_401, 2), (3 * 86_400, 3), (-9 * 86_400, 0)]
)
def test_a_day_is_late_from_the_second_after_the_deadline(seconds: int, days: int) -> None:
    deadline = datetime(2026, 11, 20, 18, tzinfo=timezone(timedelta(hours=1)))
    assert days_late(deadline, deadline + timedelta(seconds=seconds)) == days


@pytest.mark.parametrize(("month", "day", "hours"), [(3, 28, 23), (10, 24, 25)])
def test_a_late_day_ends_at_the_same_time_on_the_clock_when_it_is_changed(
    in_berlin: None, month: int, day: int, hours: int
) -> None:
    deadline = datetime(2026, month, day, 18)
    end = deadline.astimezone() + timedelta(hours=hours)
    assert [days_late(deadline, end + timedelta(seconds=late)) for late in (-1, 0, 1)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "deadline = 2026-11-20", "must be a date and a time such as 2026-11-20T18:00:00, without quotes"),
        ("", 'deadline = "tomorrow"', 'deadline = "tomorrow": must be a date and a time'),
        ("", "deadline = 0001-01-01T00:00:00", "must be a date and a time"),
        ("", "late_days = 2", "[term] late_days has no effect without a deadline.\nhint: deadline = "),
        ("", "extra_days = {ada = 2}", "[term] extra_days has no effect without a deadline"),
        (DEADLINE, "penalty = 101", "penalty = 101: must be 100"),
        (DEADLINE, "late_days = -1", "late_days = -1: must be 0 or more"),
        (DEADLINE, 'counts = "first"', "counts = \"first\": must be 'last' or 'best'"),
        (DEADLINE, "versions_a_day = 0", "versions_a_day = 0: must be 1 or more"),
        (DEADLINE, 'extra_days = {ada = "2"}', 'extra_days.ada = "2": must be a whole number'),
        (DEADLINE, "dead_line = 3", "Unknown key 'dead_line'. Did you mean 'deadline'?"),
    ],
)
def test_a_wrong_term_is_told_with_the_fix(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(ContestError, match=re.escape(told)):
        term(tmp_path, f"{old}{new}\n")


def test_a_plan_without_a_term_marks_the_last_version_and_nobody_is_late(tmp_path: Path) -> None:
    course = Term.begun(plan(tmp_path), tmp_path)
    for day, points in enumerate((80.0, 60.0)):
        entered = course.enter(course.result(f"files {day}", points), now=NOON + day * DAY)
    assert course.counts() == (2, 60)
    assert feedback(course.plan, entered).splitlines()[1] == "this version, number 2, counts"


def test_the_best_version_is_the_best_after_the_penalty(tmp_path: Path) -> None:
    course = term(tmp_path, f'{DEADLINE}penalty = 10\ncounts = "best"\n')
    course.enter(course.result("first", 70.0))
    late = course.enter(course.result("second", 75.0), now=NOON + timedelta(seconds=1))
    assert (late.points, course.counts()) == (67.5, (1, 70))
    told = feedback(course.plan, late)
    assert told.splitlines()[:4] == [
        "week-3: 67.5 of 180 points",
        "seen by 2026-11-20 12:00:01+00:00, deadline 2026-11-20 12:00:00+00:00",
        "1 late day: 10 % less, 7.5 of 75 points",
        "your version 1 counts, with 70 points, not this one",
    ]
    assert '"score": 67.5' in results_json(course.plan, late)
    assert "1 late day: 10 % less" in results_json(course.plan, late)
    course.enter(course.result("third", 90.0), now=NOON + 2 * DAY)
    assert course.counts() == (3, 72)


def test_a_version_after_the_late_days_does_not_count_beside_one_before(tmp_path: Path) -> None:
    course = term(tmp_path, f"{DEADLINE}late_days = 1\n")
    course.enter(course.result("a", 50.0), now=NOON + 2 * DAY)
    assert course.counts() == (1, 0)
    assert "2 late days, of which the plan allows 1: no points" in course.sheet("marks.csv")
    course.enter(course.result("b", 40.0), told=NOON + DAY)
    course.enter(course.result("c", 90.0), told=NOON + DAY + timedelta(seconds=1))
    assert course.counts() == (2, 40)


def test_an_ill_student_has_a_deadline_of_their_own_by_name_or_id(tmp_path: Path) -> None:
    course = term(tmp_path, f'{DEADLINE}penalty = 50\n[term.extra_days]\nbob = 2\n"1815" = 1\nnobody = 3\n')
    for student, ident in (("ada", "1815"), ("bob", ""), ("cyd", "")):
        course.enter(course.result("files", 80.0, student), now=NOON + DAY, ident=ident)
    assert [course.counts(student)[1] for student in ("ada", "bob", "cyd")] == [80, 80, 40]
    assert "In [term.extra_days], but nobody's name or id\n  nobody\n" in course.sheet("summary.txt")


def test_a_changed_deadline_changes_the_sheets_without_marking_anybody_again(tmp_path: Path) -> None:
    course = term(tmp_path, f"{DEADLINE}penalty = 50\n")
    course.enter(course.result("files", 80.0), now=NOON + DAY)
    later = replace(course, plan=plan(tmp_path, f"{PLAN}\n[term]\npenalty = 50\n{DEADLINE.replace('20T', '21T')}"))
    assert (course.counts(), later.counts()) == ((1, 40), (1, 80))


def test_the_course_system_and_staff_say_when_it_was_handed_in_and_staff_have_the_last_word(tmp_path: Path) -> None:
    course = term(tmp_path, f"{DEADLINE}penalty = 10\n")
    asked = course.result("files", 80.0)
    for told, system, days, source in (
        (None, None, 9, "first seen"),
        (None, NOON + 2 * DAY, 2, "course system"),
        (None, NOON + 3 * DAY, 2, "course system"),
        (NOON + DAY, None, 1, "staff"),
        (None, NOON + 2 * DAY, 1, "staff"),
        (NOON, None, 0, "staff"),
    ):
        course.enter(asked, now=NOON + 9 * DAY, told=told, course=system)
        assert course.counts() == (1, 80 - 8 * days)
        assert f",{source},{days}," in course.sheet("marks.csv")


def test_gradescope_tells_when_it_was_handed_in_and_no_output_of_a_bot_does(tmp_path: Path) -> None:
    for name in ("submission_1", "submission_2", "submission_3"):
        (tmp_path / name).mkdir()
    (tmp_path / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Ada\n  :created_at: 2026-11-20 19:17:40.396180000 -08:00\n"
        "  :results:\n    output: |-\n  :created_at: 2026-11-01 00:00:00.0 Z\n"
        "submission_2:\n  :results:\n    output: |-\n      :created_at: 2026-11-01 00:00:00.0 Z\n"
        "submission_3:\n  :created_at: 2026-13-01 00:00:00.0 Z\n"
    )
    moments = [one.handed_in for one in find_submissions([tmp_path], tmp_path / "unzipped").submissions]
    assert moments == [datetime(2026, 11, 21, 3, 17, 40, tzinfo=UTC), None, None]


def test_a_version_over_the_limit_of_a_day_waits_and_costs_nothing(tmp_path: Path) -> None:
    course = term(tmp_path, f"{DEADLINE}penalty = 10\nversions_a_day = 2\n")
    for digest, points in (("a", 50.0), ("b", 60.0)):
        assert course.book().refusal("ada", digest) == ""
        course.enter(course.result(digest, points))
    why = course.book().refusal("ada", "c")
    assert why.startswith("as many versions were marked today as the plan allows (2).")
    waiting = course.enter(GradingResult("ada", "", None, folder="ada", digest="c", waiting=why))
    assert feedback(course.plan, waiting).splitlines()[2:] == [
        why,
        "seen by 2026-11-20 12:00:00+00:00, deadline 2026-11-20 12:00:00+00:00",
        "your version 2 counts, with 60 points, not this one",
    ]
    assert course.counts() == (2, 60)
    assert f"version 3 is not marked: {why}" in course.sheet("marks.csv")
    assert "A version waits for another day\n  ada\n" in course.sheet("summary.txt")
    assert [course.book().refusal(*asked) for asked in (("ada", "b"), ("bob", "c"))] == ["", ""]
    tomorrow = NOON.replace(hour=0) + DAY
    assert course.book(tomorrow).refusal("ada", "c") == ""
    assert course.book(tomorrow - timedelta(seconds=1)).refusal("ada", "c") != ""
    ahead = timezone(timedelta(hours=13))
    assert course.book((NOON + timedelta(hours=1)).astimezone(ahead)).refusal("ada", "c") != "", "all on 21 November"
    course.enter(course.result("c", 90.0), now=tomorrow)
    assert course.counts() == (3, 90), "it was handed in on time"


def test_the_same_files_again_are_the_same_version_unless_others_came_between(tmp_path: Path) -> None:
    course = term(tmp_path, DEADLINE)
    for digest in ("a", "a", "b", "a"):
        course.enter(course.result(digest, 50.0))
    (ada,) = course.book().file.read().submissions
    assert [one.digest for one in ada.versions] == ["a", "b", "a"]
    course.enter(course.result("b", 50.0), told=NOON - DAY)
    course.enter(course.result("a", 50.0))
    course.enter(course.result("b", 55.0), told=NOON - DAY)
    (ada,) = course.book().file.read().submissions
    assert [one.digest for one in ada.versions] == ["a", "b", "a"]
    assert (ada.versions[1].points, ada.versions[1].handed_in) == (55, NOON - DAY), "staff marked an older folder again"
    assert course.counts()[0] == 3
    course.enter(course.result("b", 55.0), course=NOON + DAY)
    assert course.counts()[0] == 4, "the course system has it twice"


def test_a_mark_by_another_plan_counts_until_there_is_one_by_this_plan_and_stays_in_the_history(tmp_path: Path) -> None:
    course = term(tmp_path, 'counts = "best"\n')
    course.enter(course.result("a", 90.0))
    course.enter(course.result("b", 80.0))
    other = replace(course, plan=replace(course.plan, seed=1))
    assert other.counts() == (1, 90)
    other.enter(other.result("b", 30.0), now=NOON + DAY)
    assert other.counts() == (2, 30)
    assert "ada,2,,80.0,180.0,,replaced by a later mark" in other.sheet("versions.csv")


def test_where_this_machine_fails_the_earlier_mark_stays(tmp_path: Path) -> None:
    course = term(tmp_path, "")
    course.enter(course.result("a", 90.0))
    course.enter(GradingResult("ada", "", None, folder="ada", failure="the disk is full"))
    assert course.counts() == (1, 90)
    assert "not marked again: the disk is full" in course.sheet("marks.csv")
    course.enter(course.result("a", 90.0))
    assert "disk" not in course.sheet("marks.json")


def test_who_has_the_id_keeps_name_row_and_pseudonym(tmp_path: Path) -> None:
    course = term(tmp_path, "")

    def names(*students: tuple[str, str]) -> list[str]:
        submissions = [Submission(name, tmp_path, ident) for name, ident in students]
        return [one.student for one in course.book().named(submissions)]

    course.enter(course.result("a", 90.0, "Ada"), ident="1815")
    assert names(("Ada", "1815")) == names(("Ada 1815", "1815")) == names(("Ada", "")) == ["Ada"]
    assert names(("Ada 1815", "1815"), ("Ada 9", "9")) == ["Ada", "Ada 9"]
    assert names(("Ada", "9")) == ["Ada 9"]
    with pytest.raises(ContestError, match="Two submissions are of 'Ada'"):
        names(("Ada", "1815"), ("Ada", ""))
