"""How practice enters a bot: as the contest file beside it does, or by itself; and what it warns of."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.messages import Answer, Ask, Hello
from bourre.rules.actions import Choice, Declare, Fault, Missing
from bourre.testing import view
from bourre_referee.evaluation import start_trial
from bourre_referee.evaluation.check.check_room import CheckedRoom
from bourre_referee.evaluation.check.transcript import Exchange
from bourre_referee.evaluation.start_trial import enter, findings, hidden_modules
from bourre_referee.evaluation.unseeded_chance import unseeded_warning
from bourre_referee.model.spec import BotEntry, Clock, Level

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
    assert entered.doubt.startswith("contest.toml next to it is not used: [")
    assert entered.clock == Clock()


def test_a_contest_file_is_not_read_without_the_extra_for_it(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine.with_name("contest.toml").write_text(CONTEST)
    monkeypatch.setattr(start_trial, "find_spec", lambda name: None)
    assert enter(mine).clock == Clock()


def test_a_file_with_the_name_of_a_module_is_told(mine: Path) -> None:
    files = ("mine.py", "random.py", "types.txt", "grpc", "helpers/code.py")
    assert list(hidden_modules(mine, BotEntry("mine", None, mine.parent, files))) == [
        "its own file random.py hides Python's module random. hint: rename the file",
        "its own file grpc.py hides the package grpc. hint: rename the file",
    ]


ASKED = Ask(0, 1, view("declare hand='AS KH 2C 3C 4C' trump=S pot=9 seats=4"), 0)
ROOM = CheckedRoom((), (), (), Hello("token"), 0.1, "", None, False, 0, (), b"")


def room(*said: Choice | Missing, spent: float = 5, late: Fault | None = None) -> CheckedRoom:
    """A room in which the bot gave these answers, each after so many milliseconds."""
    exchanges = (Exchange("m", ASKED, None if late else Answer(0, 1, one), late, spent) for one in said)
    return replace(ROOM, exchanges=tuple(exchanges))


IN, OUT = Declare(True), Declare(False)
SEEDLESS = unseeded_warning("mine.py, line 2: random.SystemRandom has no seed")
OTHERWISE = (
    f"mine.py answers a repeated match differently, in deal {ASKED.view.deal} to declare with pass, then in (see "
    "mine.py, line 2: random.SystemRandom has no seed): use no clock and no unseeded random numbers, "
    "but view.rng or random"
)
SLOW = "mine.py is slower than the contest's clock: median 1001 ms, longest 1001 ms, and decision_ms = 1000"
ENDS = f"mine.py ends before its match does, in deal {ASKED.view.deal}: crashed"


@pytest.mark.parametrize(
    ("first", "again", "warnings"),
    [
        (room(IN, OUT), room(IN, OUT), [SEEDLESS]),
        (room(IN, OUT), room(IN, IN), [OTHERWISE]),
        (room(IN, OUT), room(IN), [SEEDLESS]),
        (room(IN, late=Fault.LATE), room(OUT), []),
        (room(IN, spent=1000), room(IN), [SEEDLESS]),
        (room(IN, spent=1001), room(IN), [SLOW, SEEDLESS]),
        (replace(room(IN), gone=Fault.CRASHED), room(IN), [SEEDLESS, ENDS]),
        (replace(room(IN), gone=Fault.LATE), room(IN), [SEEDLESS]),
    ],
    ids=["alike", "otherwise", "shorter", "late", "just in time", "slow", "gone", "no longer asked"],
)
def test_what_two_rooms_show_is_warned_of(
    mine: Path, first: CheckedRoom, again: CheckedRoom, warnings: list[str]
) -> None:
    mine.write_text("import random\nDICE = random.SystemRandom()\n")
    found = findings(mine, Clock(), first, again)
    assert (list(found.warnings), found.errors, found.never_started) == (warnings, (), "")


def test_the_first_answer_that_was_none_is_told_by_what_the_bot_raised(mine: Path) -> None:
    """A bot that never said hello is told of that alone."""
    failed = room(IN, Missing(Fault.ERROR), Missing(Fault.ERROR))
    told = f"mine.py gives no answer in a process of its own, in deal {ASKED.view.deal}: "
    assert findings(mine, Clock(), failed, failed).errors == (
        f"{told}declare: the bot reported an error: no reason given",
    )
    trace = 'Traceback (most recent call last):\n  File "mine.py", line 4, in declare\nKeyError: 7\n'
    printed = replace(failed, printed=f"{trace}bourre: no answer to declare\n".encode())
    (raised,) = findings(mine, Clock(), printed, printed).errors
    assert (raised.startswith(told), "KeyError: 7" in raised) == (True, True)
    for turned_away, why in (("", "it said no hello"), ("no token", "its hello was refused: no token")):
        absent = replace(failed, hello=None, turned_away=turned_away)
        found = findings(mine, Clock(), absent, absent)
        assert (found.never_started, found.warnings, found.errors) == (why, (), ())
