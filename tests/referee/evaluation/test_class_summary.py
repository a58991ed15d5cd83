"""What a teacher sees of a class at a glance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.marks.marking import mark, mark_without_points
from bourre_referee.evaluation.grade.record.counted_marks import counted_marks
from bourre_referee.evaluation.grade.sheets.class_summary import class_summary
from bourre_referee.evaluation.unseeded_chance import unseeded_warning
from tests.referee.evaluation.term_class import recorded
from tests.referee.plans import evidence, plan

SUMMARY = """\
week-3: 7 of 8 students have a mark, median 0 of 100 points, 5 without points because of a mistake, 1 without a \
file that their bot reads, 1 stopped at the file system

part                             all   some   none   mean
legal cards (20)                   1      0      6    2.9
no faults (10)                     2      0      5    2.9
on time (10)                       1      0      6    1.4
against coin, +50 (30)             2      0      5    8.6
against all, +10 (30)              2      0      5    8.6

Causes
    2  the bot never started (SyntaxError): bob, cyd
    1  it has no bot.py (it is empty): \\x1b[2J
    1  late (fault): ada
    1  renege against R5.2: ada
    1  the bot failed too often (play returned ..., which is not a Card): fay
    1  the bot never started (bot.py is empty): gus

Warnings
    1  A.Play is never called: ada
    1  random.Random has no seed, so the bot plays differently each time: ada

Without a file that their bot reads
  fay: FileNotFoundError: [Errno 2] No such file or directory: 'weights.txt'

Stopped at the file system
  ada: OSError: [Errno 30] Read-only file system: 'x'

No mark
  eve: not marked: no memory
"""


FAILED = (
    "the bot failed too often: the referee played for it in 94 of 100 practice deals, more than one in 10 (error: 12 "
    "times): bot.py, line 4, where play begins: play returned 'AS', which is not a Card: end every path"
)
WARNINGS = (
    "warning: A.Play is never called: did you mean 'play'?",
    unseeded_warning("bot.py, line 3: random.Random has no seed"),
)
MISSING = "FileNotFoundError: [Errno 2] No such file or directory: 'weights.txt'"


def test_a_class_is_summed_up_with_causes_that_students_share(tmp_path: Path) -> None:
    known = plan(tmp_path)
    won = evidence((3, -2, -1))
    erred = evidence((3, -2, -1), faults=(("late", 2),), broken=(("R5.2", 1),))
    never = mark_without_points(known)
    ada = GradingResult("ada", "", mark(known, erred), evidence=erred)
    record = recorded(
        known,
        [
            replace(ada, blocked="OSError: [Errno 30] Read-only file system: 'x'", advice=WARNINGS),
            GradingResult("bob", "", never, trouble="the bot never started: bot.py, line 1: SyntaxError: bad"),
            GradingResult("cyd", "", never, trouble="the bot never started: main.py, line 9: SyntaxError: no"),
            GradingResult("\x1b[2J", "", never, trouble="it has no bot.py (it is empty). hint: rename it"),
            GradingResult("fay", "", never, trouble=FAILED, blocked=MISSING),
            GradingResult("gus", "", never, trouble="the bot never started: bot.py is empty. hint: add a class"),
            GradingResult("dee", "", mark(known, won), evidence=won),
            GradingResult("eve", "", None, failure="no memory"),
        ],
    )
    assert class_summary(known, counted_marks(known, record)) == SUMMARY
