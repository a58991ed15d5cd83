"""What a student learns about the practice deals, from their run folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre_referee.evaluation.grade.feedback import LOG_LINES, practice_of
from bourre_referee.evaluation.grade.grading_contests import practice_contest
from bourre_referee.storage.run_layout import Layout
from tests.referee.in_process import run_in_process
from tests.referee.plans import plan


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
    (logs / "m0001.1.log").write_text("first\n" * LOG_LINES + f"in {work}/submission/bot.py\x1b[2J\n")
    assert practice_of(run, work).printed == (*["first"] * (LOG_LINES - 1), "in submission/bot.py\\x1b[2J")
