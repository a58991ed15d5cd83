"""Two bots compared by processes: matches of an earlier run count, and only a verdict is not an interruption.

The matches are made up: the tests look only at what becomes of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from bourre.rules.house import HouseRules
from bourre_referee.evaluation.compare import comparison_contest
from bourre_referee.evaluation.compare.comparison import Comparison
from bourre_referee.evaluation.compare.comparison_contest import contest_of, schedule_of, stopping_rule
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.results import MatchResult
from bourre_referee.runner.progress import Progress, Watch
from bourre_referee.statistics.stopping_boundary import Verdict
from tests.referee.evaluation.test_comparison import match

TOTAL = 4


class Run:
    """Plays these matches, after those that an earlier run had finished; then the user may stop it."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, before: Sequence[MatchResult], after: Sequence[MatchResult] = ()
    ) -> None:
        self.before, self.after = before, after
        self.stopped = False
        self.played = 0
        self.called_off = 0
        self.total = TOTAL
        monkeypatch.setattr(comparison_contest, "run", self.run)
        monkeypatch.setattr(comparison_contest, "Run", SimpleNamespace(open=lambda _: self))

    def results(self) -> Sequence[MatchResult]:
        return self.before

    def call_off(self) -> None:
        self.called_off += 1

    def run(self, contest: object, folder: Path, *, watch: Watch, **_: object) -> None:
        done = resumed = len(self.before)
        watch(Progress(done, self.total, resumed, 0, None, ()))
        for result in self.after:
            done += 1
            self.played += 1
            watch(Progress(done, self.total, resumed, 0, result, ()))
        if self.stopped or self.called_off:
            raise Interrupted(done, self.total, folder)

    def compared(self, folder: Path, margin: float | None = None) -> Comparison:
        bots = {name: folder / f"{name}.py" for name in ("ada", "bob", "cy")}
        contest = contest_of(bots, 7, 50 * 3 * TOTAL, HouseRules(), folder)
        rule = stopping_rule(contest, margin)
        return comparison_contest.compare(contest, folder, "ada", "bob", rule, stop=self)  # type: ignore[arg-type]


CLOSE = [match(number, lead=0.1, deals=100) for number in range(1, TOTAL + 1)]
CLEAR = [match(number, lead=9.0, deals=100) for number in range(1, TOTAL + 1)]


def test_what_an_earlier_run_has_finished_counts_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(monkeypatch, CLOSE[:2], CLOSE[2:])
    found = run.compared(tmp_path)
    assert (found.verdict, found.deals) == (Verdict.UNDECIDED, 400)
    assert (run.played, run.called_off) == (2, 0)


def test_where_an_earlier_run_was_enough_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch, CLEAR[:2], CLEAR[2:])
    assert run.compared(tmp_path).better == "ada"
    assert run.played == 0


def test_a_verdict_calls_off_what_is_left_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch, (), CLEAR[:2])
    assert run.compared(tmp_path).better == "ada"
    assert run.called_off


def test_a_verdict_with_the_last_match_calls_nothing_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch, (), CLEAR[1::-1])  # the first one is judged last
    run.total = 2
    assert run.compared(tmp_path).better == "ada"
    assert run.called_off == 0


def test_stopped_before_a_verdict_it_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch, (), CLOSE[:2])
    run.stopped = True
    with pytest.raises(Interrupted, match="2 of 4 matches are stored"):
        run.compared(tmp_path)


def test_two_that_are_close_enough_call_off_what_is_left_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch, (), CLOSE[:2])
    assert run.compared(tmp_path, margin=500.0).verdict is Verdict.EQUAL
    assert run.called_off


@pytest.mark.parametrize(("deals", "matches", "each"), [(600, 4, 50), (5000, 33, 51), (60, 3, 7), (5, 1, 2), (1, 1, 1)])
def test_a_contest_has_about_ten_looks_and_matches_of_up_to_fifty_deals(
    tmp_path: Path, deals: int, matches: int, each: int
) -> None:
    """Each of its deals is played in three seatings, and the matches are whole rounds of three line-ups."""
    contest = contest_of(
        {name: tmp_path / f"{name}.py" for name in ("ada", "bob", "cy")}, 7, deals, HouseRules(), tmp_path
    )
    assert (len(schedule_of(contest)), contest.deals) == (3 * matches, each)
    assert schedule_of(contest)[:2] == ["m0001", "m0002"]
