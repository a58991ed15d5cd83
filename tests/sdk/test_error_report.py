"""A bot's log begins with the author's own line and the cause; the traceback begins in the author's file."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bourre.bot_code.bot_file import load
from bourre.connection.bot_tables import BotNotMade, Tables
from bourre.connection.late_watch import tell_where_late
from bourre.messages import Ask, Bundle, MatchEnd, Seating
from bourre.rules.actions import Play
from bourre.testing import view

FILE = "from bourre import Bot, Card\n\n\nclass Mine(Bot):\n"
PLAY = "    def play(self, view):\n        return "
ASKED = view("play hand='AS KH 2C' trick=QH trump=S")


def tables_of(folder: Path, methods: str) -> Tables:
    (folder / "bot.py").write_text(FILE + methods)
    return Tables(load(str(folder / "bot.py")))


def seat(tables: Tables) -> None:
    tables.follow(Bundle(seatings=[Seating(7, "m0001", ASKED.seat, ASKED.seats, 4, ASKED.house)]))


@pytest.mark.parametrize(
    ("methods", "first", "then"),
    [
        (
            f"{PLAY}view.leagl[0]\n",
            "bot.py, line 6, `return view.leagl[0]`: AttributeError: 'WireView' object has no attribute 'leagl'. Did "
            "you mean 'legal'?",
            "Traceback (most recent call last):",
        ),
        (
            f"{PLAY}Card('2X')\n",
            "bot.py, line 6, `return Card('2X')`: InvalidCard: ",
            "Traceback (most recent call last):",
        ),
        (
            "    def play(view):\n        return view.legal[0]\n",
            "bot.py, line 5, where play begins: TypeError: Mine.play() takes 1 positional argument but 2 were given. "
            "hint: write def play(self, view):",
            "Traceback (most recent call last):",
        ),
        (
            f"{PLAY}'AS'\n",
            "bot.py, line 5, where play begins: play returned 'AS', which is not a Card: return a card of view.leg",
            "bourre: no answer to play",
        ),
    ],
)
def test_the_log_begins_with_the_authors_line_and_the_cause(
    methods: str, first: str, then: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = tables_of(tmp_path, methods)
    seat(tables)
    asyncio.run(tables.answers(Ask(7, 1, ASKED, 5000)))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"bourre: {first.replace('WireView', 'View')}")
    assert lines[1].startswith(then)
    assert lines[-1].startswith("bourre: no answer to play in deal")
    if "line 6" in first:  # the frames of this package that called the bot are left out
        assert lines[2] == f'  File "{tmp_path}/bot.py", line 6, in play'


def test_an_error_after_the_match_is_reported_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tables_of(tmp_path, "    def on_match_end(self, balances):\n        return self.x\n")
    seat(tables)
    tables.follow(Bundle(match_ends=[MatchEnd(7, (0, 0, 0))]))
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "bourre: bot.py, line 6, `return self.x`: AttributeError: 'Mine' object has no attribute 'x'"


def test_a_bot_that_cannot_be_made_is_reported_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tables_of(tmp_path, "    def __init__(self):\n        self.weights = weigths\n")
    with pytest.raises(BotNotMade, match="cannot make the bot: name 'weigths' is not defined"):
        seat(tables)
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "bourre: bot.py, line 6, `self.weights = weigths`: NameError: name 'weigths' is not defined"
    tables = tables_of(tmp_path, "    def __init__(self, depth):\n        self.depth = depth\n")
    with pytest.raises(BotNotMade):
        seat(tables)
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("bourre: bot.py, line 5, where __init__ begins: TypeError: ")


def test_a_bot_that_ends_its_program_in_a_decision_is_told_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = tables_of(tmp_path, "    def play(self, view):\n        raise SystemExit\n")
    seat(tables)
    with pytest.raises(SystemExit):
        asyncio.run(tables.answers(Ask(7, 1, ASKED, 5000)))
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("bourre: bot.py, line 6, `raise SystemExit`: SystemExit. hint: return an answer")


TOLD = "'no answer' in sys.stderr.getvalue()"


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        (f"        while not {TOLD}: pass", "leave this loop sooner, by break or return: self.seconds_left()"),
        (f"        while not {TOLD}: time.sleep(0)", "remove the sleep"),
        (f"        [0 for _ in iter(lambda: {TOLD}, True)]", "make that line quicker, or leave its loop sooner: "),
    ],
)
def test_a_decision_that_outlasts_its_time_is_told_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, mend: str
) -> None:
    waits = f"        import sys, time\n{line}\n"
    tables = tables_of(tmp_path, f"    def play(self, view):\n{waits}        return view.legal[0]\n")
    seat(tables)
    with tell_where_late(tables):
        (answer,) = asyncio.run(tables.answers(Ask(7, 1, ASKED, 0)))
    assert answer.action == Play(ASKED.legal[0])
    first, then = capsys.readouterr().err.splitlines()
    place, _, words = first.partition("`: ")
    assert place == f"bourre: bot.py, line 7, `{line.strip()}"
    assert words.startswith(f"play took longer than 0 s, and no reserve time was left. hint: {mend}")
    assert then.startswith("bourre: no answer to play in deal")
