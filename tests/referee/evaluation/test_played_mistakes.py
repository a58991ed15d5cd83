"""What is told of bots in processes of their own: causes from their logs, mistakes from the records."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre.connection.fork_watch import FORKED
from bourre_referee.evaluation.played_mistakes import last_raised, trouble_lines
from bourre_referee.storage.run.run import Run
from tests.referee.contests import small_contest
from tests.referee.in_process import run_in_process

TRACEBACK = """\
hello
bourre: mine.py, line 4, return view.leagl: AttributeError: no 'leagl'; did you mean legal
Traceback (most recent call last):
  File "/bot/mine.py", line 4, in declare
    return view.leagl
  File "/usr/lib/python3.13/site-packages/bourre/codec/views.py", line 60, in __getattr__
    raise AttributeError
AttributeError: a view has no 'leagl'
the house plays
"""


@pytest.fixture
def played(tmp_path: Path) -> Run:
    return run_in_process(small_contest(tmp_path), tmp_path / "run")


def write_log(run: Run, bot: str, text: str) -> None:
    (run.path / "logs" / bot).mkdir(parents=True)
    (run.path / "logs" / bot / "room000001.log").write_text(text)


def test_a_cause_comes_first_and_one_mistake_in_full(played: Run) -> None:
    first, second, third, *_ = played.bots
    write_log(played, first, "[bourre] never started: mine.py, line 1: SyntaxError: no; correct this line\nhello\n")
    write_log(played, second, TRACEBACK)
    write_log(played, third, "Error: no such card\nat play (bot.js:12)\n")
    told = list(trouble_lines(played, [first, second, third], "7", 2))
    assert told[:5] == [
        f"{first}: never started: mine.py, line 1: SyntaxError: no; correct this line",
        f"{second}: mine.py, line 4, return view.leagl: AttributeError: no 'leagl'; did you mean legal",
        f"{second}: the house plays",
        f"{third}: Error: no such card",
        f"{third}: at play (bot.js:12)",
    ]
    full, short = told[5:]
    assert 'as a test: view("' in full
    assert "\n" not in short


def test_an_error_without_a_line_of_its_own_is_read_from_its_traceback() -> None:
    assert last_raised("KeyError\n" + TRACEBACK.partition("legal\n")[2]).startswith(
        "mine.py, line 4: AttributeError: a view"
    )
    assert last_raised("bourre: warning: none\n") == ""
    crash = 'Fatal Python error: Aborted\n\nThread 0x0 (most recent call first):\n  File "/bot/a.py", line 6 in f\n'
    assert last_raised(f"{crash}\nExtension modules: grpc (total: 1)\n") == "a.py, line 6: the program crashed there"
    forked = f"a.py, line 6 {FORKED}, which is no good"
    assert last_raised(f"bourre: warning: {forked}\n{crash}") == forked
    late = "bourre: a.py, line 6, while True: play took longer than 1 s\nbourre: no answer to play in deal 1\n"
    assert last_raised(f"bourre: warning: {forked}\n{late}") == forked
    assert last_raised(f"bourre: warning: {forked}\n{TRACEBACK}").startswith("mine.py, line 4, ")
    none = "bourre: bot.py, line 4, where play begins: play returned None, which is not a Card\n"
    unanswered = "bourre: no answer to play in deal 1 at table 0\n"
    assert last_raised(none + unanswered) == none.removeprefix("bourre: ").rstrip()
    assert last_raised(unanswered * 2 + "bourre: warning: none\n" + unanswered) == ""


def test_other_bots_are_not_told_of(played: Run) -> None:
    told = list(trouble_lines(played, [played.bots[0]], "7", 5))
    assert told
    assert all(line.startswith(f"{played.bots[0]}: ") for line in told)
