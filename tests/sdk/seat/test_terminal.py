"""The seat in a terminal: it breaks lines between words, and rests until something changes."""

from __future__ import annotations

import asyncio
import errno
import io
import os

import pytest

from bourre.desk.match_log import MatchLog
from bourre.seat.sitting import Sitting
from bourre.seat.terminal import Left, Terminal, break_lines, read_lines, write_words
from bourre.testing import view

ANSWERS = "  Answer with `draw 7H 9S` which exchanges these. `?` gives a hint, `quit` leaves."


def with_terminal(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> io.StringIO:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: is_terminal)
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((40, 20)))
    return out


def test_a_terminal_of_any_width_breaks_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    out = with_terminal(monkeypatch, True)
    write_words(f"{ANSWERS}\n--- pot 4 ---\n\n  Your hand: 1 7H   2 9S")
    lines = out.getvalue().splitlines()
    assert lines == [
        "  Answer with `draw 7H 9S` which",
        "    exchanges these. `?` gives a hint,",
        "    `quit` leaves.",
        "--- pot 4 ---",
        "",
        "  Your hand: 1 7H   2 9S",
    ]


@pytest.mark.parametrize("columns", [1, 12, 40, 90])
def test_breaking_lines_loses_no_word(columns: int) -> None:
    assert break_lines(ANSWERS, columns).split() == ANSWERS.split()


def test_a_file_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    out = with_terminal(monkeypatch, False)
    write_words(ANSWERS)
    assert out.getvalue() == f"{ANSWERS}\n"


def test_a_question_that_waits_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        sitting, lines, told, looks = Sitting(), asyncio.Queue[str](), list[str](), list[int]()
        wait = sitting.wait

        async def noted(version: int, seconds: float) -> None:
            looks.append(version)
            await wait(version, seconds)

        monkeypatch.setattr(sitting, "wait", noted)
        sitting.desk.begin("A recorded deal.")
        reply = asyncio.ensure_future(sitting.desk.ask(view("play hand='AS KH' trick=QH trump=S"), MatchLog()))
        seat = asyncio.ensure_future(Terminal(sitting, lines, told.append).run())
        while not looks:
            await asyncio.sleep(0)
        for _ in range(50):
            await asyncio.sleep(0)
        assert looks == [sitting.version]
        assert any("Answer with" in text for text in told)
        lines.put_nowait("quit\n")
        with pytest.raises(Left):
            await seat
        reply.cancel()

    asyncio.run(think())


def test_a_terminal_that_is_gone_is_the_end_of_what_is_typed() -> None:
    class Gone(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            raise OSError(errno.EIO, "Input/output error")

    async def read() -> str:
        return await asyncio.wait_for(read_lines(Gone()).get(), 60)

    assert asyncio.run(read()) == ""
