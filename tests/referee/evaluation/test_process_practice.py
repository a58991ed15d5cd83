"""Practice with commands: how long a session is, and what is told of its matches."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from bourre.notes import Usage
from bourre.practice import BotResult, PracticeNote
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in
from bourre_referee.evaluation import process_practice
from bourre_referee.evaluation.grade.marks.grading_contests import hidden_contest, practice_contest
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION
from bourre_referee.evaluation.grade.sheets.next_steps import next_step_lines
from bourre_referee.evaluation.process_practice import practice_by_processes, session_of
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import Clock
from bourre_referee.runner.interrupt import Stop
from tests.referee.matches import match
from tests.referee.plans import plan


@pytest.mark.parametrize(
    ("deals", "matches", "played", "each"), [(50, 10, 12, 42), (50, 12, 12, 50), (7, 1, 3, 3), (30, 99, 99, 30)]
)
def test_a_session_has_about_as_many_deals_as_were_asked_for(
    tmp_path: Path, deals: int, matches: int, played: int, each: int
) -> None:
    """Three bots: everyone sits in every seat equally often."""
    bots, clock = {name: tmp_path / f"{name}.py" for name in ("ada", "bob", "cy")}, Clock(decision_ms=7)
    contest = session_of(bots, 5, deals, matches, HouseRules.preset("nba"), tmp_path, clock)
    assert (matches_in(contest.schedule, 3, contest.seats), contest.deals) == (played, each)
    assert (contest.seed, contest.format, contest.tables) == (5, "session", min(32, played))
    assert (contest.house, contest.clock, contest.isolation.level) == (HouseRules.preset("nba"), clock, "none")


def test_a_duplicate_session_has_the_form_of_hidden_deals(tmp_path: Path) -> None:
    bots = {name: tmp_path / f"{name}.py" for name in ("ada", "bob", "cy")}
    practised = session_of(bots, 5, 50, 2, HouseRules(), tmp_path, Clock(), duplicate=True)
    known = plan(tmp_path)
    hidden = hidden_contest(known, ("python", "bot.py"), tmp_path)
    forms = [(one.format, one.tables, one.stakes, one.seats) for one in (practised, hidden)]
    assert forms[0] == forms[1]
    assert practised.schedule == ScheduleChoice("once", line_ups=(("ada", "bob", "cy"),))
    assert hidden.schedule == ScheduleChoice("once", line_ups=(("submission", "coin", "tight"),))
    assert [one.deals * matches_in(one.schedule, 3, 3) for one in (practised, hidden)] == [100, known.deals]


def test_practice_repeats_the_practice_deals_of_an_assignment(tmp_path: Path) -> None:
    """The command in the feedback deals the same cards to the same seats, in as many processes."""
    known = plan(tmp_path)
    marked = practice_contest(known, ("python", "bot.py"), tmp_path)
    *_, words = next_step_lines(known, ("python", "submission/bot.py"))
    found = dict(pairwise(words.split()))
    deals, matches, seed = (int(found[name]) for name in ("--deals", "--matches", "--seed"))
    assert found["--against"] == "random,tight"
    bots = {name: tmp_path / f"{name}.py" for name in ("bot", "random", "tight")}
    repeated = session_of(bots, seed, deals, matches, HouseRules.preset(found["--rules"]), tmp_path, Clock())
    forms = [(one.format, one.tables, one.stakes, one.fresh, one.house, one.deals) for one in (marked, repeated)]
    assert forms[0] == forms[1]
    assert (marked.seed, repeated.seed) == (seed, seed)
    dealt = [matches_of(one, master_seed(seed)) for one in (marked, repeated)]
    assert [(one.seed, one.line_up.index(SUBMISSION)) for one in dealt[0]] == [
        (one.seed, one.line_up.index("bot")) for one in dealt[1]
    ]
    assert len(dealt[0]) == matches == 3


def test_what_bots_said_is_told_in_order_beside_what_they_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = match({"ada": 9, "bob": -9}, 40, "m0001"), match({"bob": 1, "ada": -1}, 40, "m0002")
    said = {
        "m0001": (
            SeatRemarks((Note(2, None, 5, "late"), Note(3, None, 1, "last")), Usage(1, 2, 3, 4)),
            SeatRemarks((Note(2, None, 4, "early"),)),
        ),
        "m0002": (),
    }
    run = SimpleNamespace(results=lambda: [first, second], remarks=said.__getitem__)
    monkeypatch.setattr(process_practice, "run", lambda *_, **__: None)
    monkeypatch.setattr(process_practice, "Run", SimpleNamespace(open=lambda _: run))
    bots = {name: tmp_path / f"{name}.py" for name in ("ada", "bob")}
    contest = session_of(bots, 5, 40, 2, HouseRules(), tmp_path, Clock())
    found = practice_by_processes(contest, tmp_path, Stop())
    ada = BotResult("ada", 80, 8, 2 + 3, 0 + 1, 0 + 1, 0 + 3, Usage(1, 2, 3, 4))
    assert found.bots == (ada, replace(ada, bot="bob", chips=-8, usage=None))
    assert found.notes == (
        PracticeNote("bob", 2, 4, "early"),
        PracticeNote("ada", 2, 5, "late"),
        PracticeNote("ada", 3, 1, "last"),
    )
    assert [one.match for one in found.matches] == ["m0001", "m0002"]
