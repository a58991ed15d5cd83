"""A class marked one after the other: nothing that happens to one submission changes another's mark."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from select import select
from threading import active_count
from zipfile import ZipFile

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.evaluation.grade import grade_class as grading
from bourre_referee.evaluation.grade.grade_class import grade
from bourre_referee.evaluation.grade.intake.submissions import Submission
from bourre_referee.evaluation.grade.marks import contest_player
from bourre_referee.evaluation.grade.marks.contest_player import OutOfTime, Play, Player
from bourre_referee.evaluation.grade.marks.grading_contests import hidden_contest, practice_contest
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan
from bourre_referee.model.errors import ContestFailed, Interrupted
from bourre_referee.runner.executor import Executor, MakeExecutor, Workplace
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Watch
from bourre_referee.storage.run.run import Run
from tests.referee.plans import PLAN, plan


class Raising:
    """Plays nothing and raises this each time; stores the folders in which it was to play."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.folders: list[Path] = []

    def __call__(self, contest: Contest, folder: Path) -> Run:
        self.folders.append(folder)
        raise self.error


@pytest.fixture
def known(tmp_path: Path) -> Plan:
    return plan(tmp_path)


def graded(known: Plan, place: Path, play: Play, text: str = "", *students: str) -> list[GradingResult]:
    """The results of these students, who all handed in the same bot."""
    submissions = []
    for student in students or ("ada",):
        (place / student).mkdir(exist_ok=True)
        (place / student / "bot.py").write_text(text)
        submissions.append(Submission(student, place / student))
    return [one for _, one in grade(known, submissions, place / "runs", b"salt", play, lambda *_: "")]


def test_where_the_machine_fails_there_is_no_mark_and_the_next_one_comes(known: Plan, tmp_path: Path) -> None:
    found = graded(known, tmp_path, Raising(ContestFailed("no room on the disk")), "", "ada", "bob")
    assert len({one.digest for one in found}) == 1, "the files are known, also without a mark"
    assert [(one.student, one.mark, one.failure) for one in found] == [
        ("ada", None, "no room on the disk"),
        ("bob", None, "no room on the disk"),
    ]


@pytest.mark.parametrize("zipped", [False, True])
def test_a_full_disk_is_not_the_students_fault(
    known: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device", "/full/bot.py")

    handed_in = tmp_path / "bot.py"
    handed_in.write_text("")
    if zipped:
        with ZipFile(tmp_path / "bot.zip", "w") as packed:
            packed.write(handed_in, "bot.py")
        handed_in = tmp_path / "bot.zip"
    monkeypatch.setattr("shutil.copyfile", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    submission, play = Submission("ada", handed_in), Raising(OutOfTime())
    ((_, one),) = grade(known, [submission], tmp_path / "runs", b"salt", play, lambda *_: "")
    assert (one.mark, one.trouble, play.folders) == (None, "", [])
    assert one.failure.startswith(
        "/full/bot.py: No space left on device. hint: check its permissions and the free disk"
    )


def test_an_interruption_ends_all_of_it(known: Plan, tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        graded(known, tmp_path, Raising(Interrupted(1, 2, tmp_path)))


def test_a_program_that_no_box_can_hold_is_the_students_to_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not played with less isolation than the others, and this machine is not to blame."""
    monkeypatch.setattr(grading, "unavailable_reason", lambda *_: "sh does not start in a box")
    listed = PLAN.replace("[table]", 'launchers = ["sh"]\n[table]')
    known = plan(tmp_path, listed.replace('level = "none"', 'level = "bwrap"'))
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "command").write_text("sh bot.sh\n")
    (tmp_path / "ada" / "bot.sh").touch()
    play = Raising(OutOfTime())
    (one,) = graded(known, tmp_path, play)
    assert one.mark is not None
    assert (one.mark.points, one.failure, play.folders) == (0, "", [])
    assert one.trouble == "its command cannot be started here: sh does not start in a box"


def test_a_plan_lists_the_programs_that_start_submissions(tmp_path: Path) -> None:
    listed = plan(tmp_path, PLAN.replace("[table]", 'launchers = ["java"]\n[table]'))
    (one,) = graded(listed, tmp_path, Raising(OutOfTime()))
    why = "its command cannot be started: 'python' cannot start a bot here. hint: use java or a file of the bot"
    assert one.trouble == why


def test_who_was_out_of_time_stays_so_until_there_is_more_of_it(known: Plan, tmp_path: Path) -> None:
    play = Raising(OutOfTime())
    for _ in range(2):
        (one,) = graded(known, tmp_path, play)
        assert one.mark is not None
        assert (one.mark.points, len(play.folders)) == (0, 1)
        assert "more than the 10 minutes" in one.trouble
    graded(replace(known, minutes=20), tmp_path, play)
    assert len(play.folders) == 2
    graded(known, tmp_path, play, "print('another version')")
    assert len(play.folders) == 3


def test_another_version_of_a_bot_or_plan_has_matches_of_its_own(known: Plan, tmp_path: Path) -> None:
    play = Raising(ContestFailed(""))
    for asked, text in (
        (known, "1"),
        (known, "1"),
        (known, "2"),
        (replace(known, seed=1), "1"),
        (replace(known, practice_seed=8), "1"),
        (replace(known, deals=90), "1"),
    ):
        graded(asked, tmp_path, play, text)
    first, same, *others = play.folders
    assert first == same
    assert len({first, *others}) == 5


def test_a_submission_is_started_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "bot.py").touch()
    submission, *_ = hidden_contest(plan(tmp_path, PLAN), ("python", "submission/bot.py"), tmp_path).entries
    assert (submission.own_folder, submission.command) == ("submission", (sys.executable, "bot.py"))


def test_a_submission_has_a_hidden_contest_and_a_visible_one(known: Plan, tmp_path: Path) -> None:
    """The hidden deals are at least as many as asked for; about a hundred are visible, in sessions at the same time."""
    command = ("python", "submission/bot.py")
    hidden, visible = (make(known, command, tmp_path) for make in (hidden_contest, practice_contest))
    terms = (hidden.name, hidden.seed, hidden.format, hidden.tables, hidden.deals, hidden.stakes)
    assert terms == ("week-3", 5823946712389, "duplicate", 32, known.deals, (0,))
    line_ups = ((SUBMISSION, "coin", "tight"),)
    assert (hidden.schedule, hidden.max_faults) == (ScheduleChoice("once", line_ups=line_ups), 3 * known.max_faults)
    everywhere = ScheduleChoice(rounds=1)
    changed = replace(hidden, name="week-3-practice", seed=7, format="session", tables=3, schedule=everywhere)
    assert visible == replace(changed, deals=33, max_faults=3)
    strict = replace(known, max_faults=2, staff=(*known.staff, replace(known.staff[0], name="third")))
    more, fewer = (make(strict, command, tmp_path) for make in (hidden_contest, practice_contest))
    assert (more.schedule, more.deals, more.max_faults) == (ScheduleChoice("gauntlet", bot=SUBMISSION), 2, 2)
    assert (fewer.schedule, fewer.tables, fewer.deals, fewer.max_faults) == (more.schedule, 9, 11, 2)


def test_a_contest_that_takes_longer_than_the_plan_allows_is_out_of_time(
    known: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watch over one that ends in time ends with it."""

    def never(_: Workplace) -> AbstractContextManager[Executor]:
        raise AssertionError("nothing is played")

    def run(contest: Contest, folder: Path, *, watch: Watch, executor: MakeExecutor, stop: Stop) -> str:
        assert (watch, executor) == (print, never)
        if contest.format == "session":
            return f"played in {folder.name}"
        select([stop], [], [])
        raise Interrupted(0, 1, folder)

    monkeypatch.setattr(contest_player, "run", run)
    hidden, visible = (make(known, ("python", "bot.py"), tmp_path) for make in (hidden_contest, practice_contest))
    watchers = active_count()
    played: object = Player(60, never, print)(visible, tmp_path / "practice")
    assert played == "played in practice"
    with pytest.raises(OutOfTime):
        Player(1e-5, never, print)(hidden, tmp_path)
    assert active_count() == watchers
