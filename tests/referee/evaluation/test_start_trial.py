"""How practice enters a bot: as the contest file beside it does, or as a contest without further words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bourre_referee.evaluation import start_trial
from bourre_referee.evaluation.start_trial import enter
from bourre_referee.evaluation.trial_findings import hidden_modules
from bourre_referee.model.spec import Clock, Entry, Level

CONTEST = """\
[contest]
name = "mine"
[table]
seats = 2
deals = 4
[clock]
decision_ms = 60
[isolation]
level = "none"
[[bots]]
name = "other"
command = ["python", "other.py"]
[[bots]]
name = "mine"
command = ["python", "mine.py"]
files = ["mine.py", "weights.txt"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    for name in ("mine.py", "other.py", "weights.txt"):
        (tmp_path / name).touch()
    return tmp_path / "mine.py"


def test_the_contest_file_beside_a_bot_decides(mine: Path) -> None:
    mine.with_name("contest.toml").write_text(CONTEST)
    entered = enter(mine)
    assert entered.entry.files == ("mine.py", "weights.txt")
    assert (entered.isolation.level, entered.clock.decision_ms, entered.doubt) == (Level.NONE, 60, "")


def test_without_one_it_is_entered_with_its_file_and_the_usual_clock(mine: Path) -> None:
    entered = enter(mine)
    assert (entered.entry.command, entered.entry.folder) == ((sys.executable, "mine.py"), mine.parent)
    assert entered.clock == Clock()


def test_a_contest_file_of_other_bots_still_sets_the_clock(mine: Path) -> None:
    mine.with_name("contest.toml").write_text(CONTEST)
    (mine.parent / "third.py").touch()
    entered = enter(mine.with_name("third.py"))
    assert (entered.entry.files, entered.clock.decision_ms) == (("third.py",), 60)


def test_a_contest_file_that_cannot_be_read_is_told(mine: Path) -> None:
    mine.with_name("contest.toml").write_text('[contest]\nnmae = "mine"\n')
    entered = enter(mine)
    assert entered.doubt.startswith("contest.toml beside it is not used: [")
    assert entered.clock == Clock()


def test_a_contest_file_is_not_read_without_the_extra_for_it(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine.with_name("contest.toml").write_text(CONTEST)
    monkeypatch.setattr(start_trial, "find_spec", lambda name: None)
    assert enter(mine).clock == Clock()


def test_a_file_with_the_name_of_a_module_is_told(mine: Path) -> None:
    files = ("mine.py", "random.py", "types.txt", "grpc", "helpers/code.py")
    assert list(hidden_modules(mine, Entry("mine", None, mine.parent, files))) == [
        "its own file random.py hides Python's module random; rename the file",
        "its own file grpc.py hides the package grpc; rename the file",
    ]
