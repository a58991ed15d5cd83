"""A bot that is stuck ends practice, with the line where it is; one that is only slow, or debugged, does not."""

from __future__ import annotations

import threading
from math import inf
from pathlib import Path

import pytest

from bourre.practice import practice
from bourre.practice.busy_watch import LastingCall, end_when_stuck
from bourre.practice.mistake import Stuck

BOT = """\
{top}
from bourre import Bot


class MyBot(Bot):
    def declare(self, view):
        return True

    {kind} play(self, view):
        while {again}:
            pass
        return view.legal[0]
"""


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_an_endless_decision_is_ended_and_its_line_told(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "mybot.py"
    file.write_text(BOT.format(top="", kind=kind, again="True"))
    stuck = pytest.raises(Stuck, match=r"^mybot\.py, line 1[01]: still busy after 0 s")
    with stuck as caught, end_when_stuck([tmp_path], 0.0):
        practice([str(file), "lowest"], deals=5)
    assert kind == "async def" or "mybot was asked to play (match 1, deal 1, seat 0, seed 0)" in str(caught.value)


def test_a_file_that_never_ends_is_told_too(tmp_path: Path) -> None:
    file = tmp_path / "mybot.py"
    file.write_text(BOT.format(top="while True:\n    pass", kind="def", again="False"))
    stuck = pytest.raises(Stuck, match=r"^mybot\.py, line [12]: still busy after 0 s")
    with stuck, end_when_stuck([tmp_path], 0.0):
        practice([str(file), "lowest"], deals=5)


def test_many_short_calls_are_no_long_one() -> None:
    lasting, first, second = LastingCall(), object(), object()
    assert [
        lasting.seconds(call, now) for now, call in enumerate([first, first, first, None, first, second, second])
    ] == [-inf, 1, 2, -inf, -inf, -inf, 1]


def test_one_that_its_author_debugs_takes_its_time(tmp_path: Path) -> None:
    file = tmp_path / "mybot.py"
    top = "import bdb\nimport time\n\nbdb.Bdb().runcall(time.sleep, 1.6)"
    file.write_text(BOT.format(top=top, kind="def", again="False"))
    with end_when_stuck([tmp_path], 0.0):
        practice([str(file), "lowest"], deals=1)


def test_ctrl_c_is_not_taken_for_it(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), end_when_stuck([tmp_path], 60.0):
        raise KeyboardInterrupt
    assert "bourre practice watch" not in [thread.name for thread in threading.enumerate()]
