"""Feedback tells the decisions that cost most in the practice deals, in words, and never changes a mark."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.words.table_words import choice_words
from bourre_lab.review import LIMITS
from bourre_referee.contest.contest import Contest
from bourre_referee.evaluation.grade.grade_class import grade
from bourre_referee.evaluation.grade.intake.submissions import Submission
from bourre_referee.evaluation.grade.marks.grading_contests import practice_contest
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION
from bourre_referee.evaluation.grade.sheets.feedback import NOT_REVIEWED, feedback, review_of
from bourre_referee.evaluation.review.habits import habits_of
from bourre_referee.evaluation.review.review_text import cost_words, habit_words
from bourre_referee.evaluation.review.reviewed_play import review_run, worst
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.run import Run
from tests.referee import contests, rooms
from tests.referee.in_process import run_in_process
from tests.referee.plans import PLAN, plan

ASKING = PLAN.replace("seed = 5823946712389\n", "seed = 5823946712389\nreview = 2\n")


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Practice deals of bots that decide by dice."""
    place = tmp_path_factory.mktemp("practice")
    work = place / "work"
    (work / SUBMISSION).mkdir(parents=True)
    (work / SUBMISSION / "bot.py").touch()
    contest = practice_contest(plan(place), ("python", "submission/bot.py"), work)
    return run_in_process(replace(contest, deals=5), place / "run")


def test_the_worst_decisions_are_told_with_what_was_better(practice: Run) -> None:
    lines = review_of(practice, 2)
    decisions = review_run(practice, SUBMISSION, 100).decisions
    one, other = worst(decisions, 2)
    assert re.match(
        r"What cost most of your \d+ decisions in \d+ practice deals, in the champion's judgement ", lines[0]
    )
    assert lines[1] == f"1. {one.match}, deal {one.ask.view.deal}"
    assert f"   it chose to {choice_words(one.chosen)}" in lines
    assert f"   to {choice_words(other.better)} brings {cost_words(other)} chips more" in lines
    assert not any(line.startswith("3. ") for line in lines)
    assert lines[-len(LIMITS) :] == LIMITS
    habits = tuple(f"  {habit_words(habit)}" for habit in habits_of(decisions))
    assert habits
    assert lines[lines.index("Your bot's habits:") + 1 : -len(LIMITS)] == habits
    assert review_of(practice, 2) == lines


def test_where_there_is_nothing_to_judge_a_sentence_says_so(tmp_path: Path) -> None:
    run = run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "run")
    assert review_of(run, 3) == (NOT_REVIEWED,)


def _all(student: str, digest: str) -> str:
    """Marks everyone."""
    return ""


def test_feedback_has_a_review_only_if_the_plan_asks_for_it(tmp_path: Path) -> None:
    known = replace(plan(tmp_path), thresholds=())  # which need deals in all seatings
    submission = Submission("ada", tmp_path / "ada")
    submission.path.mkdir()
    (submission.path / "bot.py").touch()
    ((_, without),) = grade(known, [submission], tmp_path / "plain", b"salt", _play, _all)
    ((_, asked),) = grade(replace(known, review=2), [submission], tmp_path / "asked", b"salt", _play, _all)
    assert (without.review, without.mark) == ((), asked.mark)
    told = feedback(replace(known, review=2), asked)
    assert told.replace("\n" + "\n".join(asked.review) + "\n", "", 1) == feedback(known, without)
    assert asked.review == review_of(Run.open(tmp_path / "asked" / "ada" / asked.runs / "practice"), 2)


def test_a_bot_that_did_not_play_gets_a_plain_sentence(tmp_path: Path) -> None:
    known = plan(tmp_path, ASKING)
    (tmp_path / "ada").mkdir()
    ((_, one),) = grade(known, [Submission("ada", tmp_path / "ada")], tmp_path / "runs", b"salt", _play, _all)
    assert one.mark is not None
    assert f"\n{NOT_REVIEWED}\n" in feedback(known, one)
    assert NOT_REVIEWED not in feedback(plan(tmp_path), one)


def test_a_plan_asks_for_up_to_ten(tmp_path: Path) -> None:
    assert (plan(tmp_path).review, plan(tmp_path, ASKING).review) == (0, 2)
    with pytest.raises(ContestError, match=r"grade.toml:4: \[assignment\] review = 11: "):
        plan(tmp_path, ASKING.replace("review = 2", "review = 11"))


def _play(contest: Contest, folder: Path) -> Run:
    return run_in_process(replace(contest, format="session", deals=2), folder, played=rooms.played)
