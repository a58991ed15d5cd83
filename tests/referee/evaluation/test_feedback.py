"""What a student learns about the practice deals, from their run folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre_referee.evaluation.grade.feedback import LOG_LINES, GradingResult, feedback, practice_of
from bourre_referee.evaluation.grade.grading_contests import practice_contest
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION
from bourre_referee.evaluation.grade.marking import Mark
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.run_layout import Layout
from tests.referee.in_process import run_in_process
from tests.referee.plans import plan
from tests.referee.realistic_rooms import played


def test_the_last_lines_of_the_first_log_are_told_with_paths_from_the_submission(tmp_path: Path) -> None:
    """There is no text if staff have removed the logs."""
    work = tmp_path / "work"
    (work / "submission").mkdir(parents=True)
    (work / "submission" / "bot.py").touch()
    contest = practice_contest(plan(tmp_path), ("python", "submission/bot.py"), work)
    run = run_in_process(replace(contest, deals=6), tmp_path / "run")
    without = practice_of(run, work)
    assert without.printed == ()
    assert without.renege[0].startswith("match m0001, deal ")
    logs = Layout(run.path).logs / "submission"
    logs.mkdir(parents=True)
    (logs / "m0002.1.log").write_text("of another match\n")
    trace = f'Traceback (most recent call last):\n  File "{work}/submission/bot.py", line 4, in play\nKeyError: 7\n'
    (logs / "m0001.1.log").write_text(f"{trace}the house plays\n")
    assert practice_of(run, work).error == "bot.py, line 4: KeyError: 7"
    (logs / "m0001.1.log").write_text("first\n" * LOG_LINES + f"in {work}/submission/bot.py\x1b[2J\n")
    assert practice_of(run, work).printed == (*["first"] * (LOG_LINES - 1), "in submission/bot.py\\x1b[2J")


def test_why_a_bot_never_started_is_said_first_with_a_command_that_shows_the_same(tmp_path: Path) -> None:
    known = plan(tmp_path)
    (tmp_path / "work" / "submission").mkdir(parents=True)
    (tmp_path / "work" / "submission" / "mine.py").touch()
    contest = practice_contest(known, ("python", "submission/mine.py"), tmp_path / "work")
    run = run_in_process(replace(contest, deals=6), tmp_path / "run", absent)
    logs = Layout(run.path).logs / "submission"
    logs.mkdir(parents=True)
    (logs / "m0001.1.log").write_text("[bourre] never started: mine.py, line 1: SyntaxError: \x1b[2J; correct it\nhi\n")
    practice = practice_of(run, tmp_path / "work")
    why = "mine.py, line 1: SyntaxError: \\x1b[2J; correct it"
    assert practice.start_failure == why
    graded = GradingResult("ada", "", Mark(()), trouble=f"the bot never started: {why}", practice=practice)
    lines = feedback(known, replace(graded, command=("python", "submission/mine.py"))).splitlines()
    assert lines[2] == f"the bot never started: {why}"
    assert lines[-2] == "To see the same at home, in the folder that you handed in:"
    assert lines[-1].startswith("  bourre check mine.py --files . ")


def absent(spec: MatchSpec) -> MatchOutcome:
    """A match in which the house played for the submission from the first deal on."""
    outcome = played(spec)
    seats = (
        replace(seat, house_deals=outcome.result.deals if seat.bot == SUBMISSION else 0)
        for seat in outcome.result.seats
    )
    return replace(outcome, result=replace(outcome.result, seats=tuple(seats)))
