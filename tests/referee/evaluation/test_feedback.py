"""What a student learns about the practice deals, from their run folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.marks.grading_contests import practice_contest
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult, Practice
from bourre_referee.evaluation.grade.marks.marking import mark, mark_without_points
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION
from bourre_referee.evaluation.grade.sheets.feedback import (
    CHIPS_EXPLAINED,
    LOG_LINES,
    feedback,
    first_error,
    practice_of,
)
from bourre_referee.evaluation.grade.sheets.file_errors import first_file_error
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee.in_process import run_in_process
from tests.referee.plans import evidence, plan
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
    assert without.error == "draw returned 3D 4H 3D 4H: each card can be discarded only once (R4.3)"
    assert without.renege[0].startswith("match m0001, deal ")
    faults = sum(seat.faults for result in run.results() for seat in result.seats if seat.bot == SUBMISSION)
    assert sum(times for _, times in without.evidence.faults) == faults > 0
    assert without.evidence.faults == tuple(sorted(dict(without.evidence.faults).items()))
    assert without.evidence.results == tuple(run.results())
    logs = FolderLocation(run.path).logs / "submission"
    logs.mkdir(parents=True)
    (logs / "m0002.1.log").write_text("of another match\n")
    trace = f'Traceback (most recent call last):\n  File "{work}/submission/bot.py", line 4, in play\nKeyError: 7\n'
    (logs / "m0001.1.log").write_text(f"{trace}the house plays\n")
    assert practice_of(run, work).error == "bot.py, line 4: KeyError: 7"
    (logs / "m0001.1.log").write_text("first\n" * LOG_LINES + f"in {work}/submission/bot.py\x1b[2J\n")
    assert practice_of(run, work).printed == (*["first"] * (LOG_LINES - 1), "in submission/bot.py\\x1b[2J")
    (logs / "m0001.1.log").write_text("bourre: warning: Ada.Play is never called\x07\nx\n")
    assert practice_of(run, work).warnings == (r"bourre: warning: Ada.Play is never called\x07",)
    (logs / "m0001.1.log").write_text("x" * 400 + "\nillegal; see it all: bourre replay run m0001\n")
    assert practice_of(run, work).printed == ("x" * 300, "illegal")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", True),
        ("[bourre] never started: bot.py, line 1: OSError: [Errno 28] No space left on device. hint: free it", True),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/home/ada/weights.npz'", True),
        ("PermissionError: [Errno 13] Permission denied: b'/x'", True),
        ("Error: EACCES: permission denied, open '/x/out.txt'", True),
        ("PermissionError: [Errno 1] Operation not permitted", False),
        ("KeyError: 'files'", False),
    ],
)
def test_staff_are_told_where_the_file_system_stopped_a_bot(tmp_path: Path, line: str, told: bool) -> None:
    assert first_file_error(tmp_path) == ""
    logs = FolderLocation(tmp_path).logs / "submission"
    logs.mkdir(parents=True)
    (logs / "m0001.1.log").write_text(f"playing\n{line}\x07\nOSError: [Errno 30] Read-only file system: 'second'\n")
    found = first_file_error(tmp_path)
    assert ("second" not in found) is told
    assert not found.startswith("[bourre]")
    assert "hint" not in found
    assert found.isprintable()


STARTED = ("python", "submission/bot.py")


def test_feedback_says_what_was_marked_what_went_wrong_and_what_to_do(tmp_path: Path) -> None:
    known, won = plan(tmp_path), evidence((3, -2, -1))
    erred = evidence((0, 0, 0), faults=(("late", 2), ("unasked", 1)))
    practice = Practice(erred, ("match m0001, deal 2", "it played 2C"), ("first", "last"))
    graded = GradingResult("ada", "red-fox-2", mark(known, won), evidence=won, practice=practice, command=STARTED)
    assert feedback(known, graded).splitlines() == [
        "week-3: 100 of 100 points",
        "on the leaderboard, which rounds points and chips, you are red-fox-2",
        "",
        "    20 of 20     legal cards: nothing wrong in 12 deals",
        "    10 of 10     no faults: nothing wrong in 12 deals",
        "    10 of 10     on time: nothing wrong in 12 deals",
        "    30 of 30     against coin, +50: +166.7 chips per 100 deals (between +166.7 and +166.7), required: "
        "+50, no points at -50",
        "    30 of 30     against all, +10: +100.0 chips per 100 deals (between +100.0 and +100.0), required: +10",
        "",
        *CHIPS_EXPLAINED,
        "",
        "Your first illegal card in 12 practice deals (seed 7):",
        "  match m0001, deal 2",
        "  it played 2C",
        "Fault in 12 practice deals (seed 7), 2 times: late, no answer within 1 s, and the 5 s of reserve time for "
        "the match were used up",
        "Fault in 12 practice deals (seed 7), once: unasked",
        "",
        "Your bot's log there, shortened (lines that begin with bourre are not by your bot):",
        "  | first",
        "  | last",
        "",
        "To look for a first mistake in 2000 deals at home:",
        "  bourre practice bot.py --against random,tight --deals 2000 --seed 7 --rules limit",
        "",
        "To play the practice deals again at home, as here, 3 matches at once:",
        "  bourre practice 'python bot.py' --against random,tight --deals 33 --seed 7 --rules limit --matches 3",
    ]
    lost = replace(graded, mark=mark(known, evidence((0, 0, 0))))
    onwards = replace(known, next="2-counting\x1b[2J")
    assert feedback(onwards, lost).splitlines()[-4:] == [
        "",
        "To gain next: 15 points of `against coin, +50`.",
        "",
        "Next: 2-counting\\x1b[2J",
    ]
    assert feedback(onwards, graded).splitlines()[-3:] == [
        feedback(known, graded).splitlines()[-1],
        "",
        "Next: 2-counting\\x1b[2J",
    ]
    clean = replace(graded, practice=replace(practice, evidence=won, renege=()))
    assert feedback(known, clean).splitlines()[11:14] == [
        "",
        "Nothing went wrong in 12 practice deals (seed 7).",
        "",
    ]
    advised = feedback(known, replace(graded, advice=("bot.py, line 3: random.Random has no seed",))).splitlines()
    assert advised[:3] == ["bot.py, line 3: random.Random has no seed", "", "week-3: 100 of 100 points"]
    warned = replace(practice, evidence=won, renege=(), warnings=("bourre: warning: Ada.Play is never called",))
    told = replace(graded, practice=warned, hidden_error="KeyError in bot.py, line 4")
    lines = feedback(known, told).splitlines()
    assert lines[:3] == ["warning: Ada.Play is never called", "", "week-3: 100 of 100 points"]
    assert lines[10:16] == [
        "The first error there, in deals whose cards stay secret: KeyError in bot.py, line 4",
        "",
        *CHIPS_EXPLAINED,
        "",
        "Nothing went wrong in 12 practice deals (seed 7).",
    ]


ERROR = 'Traceback (most recent call last):\n  File "{file}", line 4, in play\n{kind}: AS KD\n'


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("", ""),
        (ERROR.format(file="/w/submission/bot.py", kind="KeyError"), "KeyError in bot.py, line 4"),
        (ERROR.format(file="/w/submission/bot.py", kind="AS_KD"), "an error in bot.py, line 4"),
        (ERROR.format(file="/w/submission/bot.py", kind="print"), "an error in bot.py, line 4"),
        (ERROR.format(file="/w/submission/AS KD.py", kind="KeyError"), ""),
        (
            f"{ERROR.format(file='/w/bot.py', kind='KeyError')}bourre: no answer to play in deal 1\n"
            f"{ERROR.format(file='/w/bot.py', kind='ValueError')}",
            "KeyError in bot.py, line 4",
        ),
    ],
)
def test_the_first_error_in_hidden_deals_is_told_without_anything_that_the_bot_chose(
    tmp_path: Path, printed: str, told: str
) -> None:
    (tmp_path / "bot.py").touch()
    logs = FolderLocation(tmp_path / "run").logs / SUBMISSION
    logs.mkdir(parents=True)
    (logs / "m0001.1.log").write_text("nothing\n")
    (logs / "m0002.1.log").write_text(printed)
    assert first_error(tmp_path / "run", tmp_path) == told


def test_why_a_bot_never_started_is_said_first_with_a_command_that_shows_the_same(tmp_path: Path) -> None:
    known = plan(tmp_path)
    (tmp_path / "work" / "submission").mkdir(parents=True)
    (tmp_path / "work" / "submission" / "mine.py").touch()
    contest = practice_contest(known, ("python", "submission/mine.py"), tmp_path / "work")
    run = run_in_process(replace(contest, deals=6), tmp_path / "run", absent)
    logs = FolderLocation(run.path).logs / "submission"
    logs.mkdir(parents=True)
    (logs / "m0001.1.log").write_text("[bourre] never started: mine.py, line 1: SyntaxError: \x1b[2J; correct it\nhi\n")
    practice = practice_of(run, tmp_path / "work")
    why = "mine.py, line 1: SyntaxError: \\x1b[2J; correct it"
    assert practice.start_failure == why
    marked = mark_without_points(known, practice.evidence)
    graded = GradingResult("ada", "", marked, trouble=f"the bot never started: {why}", practice=practice)
    lines = feedback(known, replace(graded, command=("python", "submission/mine.py"))).splitlines()
    assert lines[0] == f"the bot never started: {why}"
    assert [line for line in lines if "never started" in line] == [lines[0]], "the log does not say it again"
    assert lines[4].startswith("     0 of 20     legal cards: ")
    assert lines[4].endswith("the referee played 18 of 18 practice deals for this bot")
    assert lines[7].endswith("against coin, +50: the deals that decide the mark were not played")
    assert lines[-4] == "To see the same at home, in the folder that you handed in:"
    assert lines[-3].startswith("  bourre check mine.py --files . ")
    assert lines[-1].startswith("All 100 points wait for a bot that plays")
    refused = GradingResult("ada", "", mark_without_points(known), trouble="a .docx file cannot be a bot")
    assert "bourre " not in feedback(known, refused), "there is nothing to start at home"


def absent(spec: MatchSpec) -> MatchOutcome:
    """A match in which the house played for the submission from the first deal on."""
    outcome = played(spec)
    seats = (
        replace(seat, house_deals=outcome.result.deals if seat.bot == SUBMISSION else 0)
        for seat in outcome.result.seats
    )
    return replace(outcome, result=replace(outcome.result, seats=tuple(seats)))
