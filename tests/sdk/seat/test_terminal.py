"""The seat in a terminal: what it tells and takes; it breaks lines between words, and rests until something changes."""

from __future__ import annotations

import asyncio
import errno
import io
import os

import pytest

from bourre.rules.actions import Play, Stay
from bourre.rules.cards import Card
from bourre.testing import view
from bourre.words.table_words.deal_lines import MatchLog
from bourre.words.table_words.picture import picture_of
from bourre.words.table_words.readers import Reader
from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.terminal import Left, Terminal, break_lines, read_lines, table_lines, write_words

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


TABLE = "balances='-6 -5 -7 -6' pot=24 plays='in pass in in' drawn='2 - 0 2' barred=2 discarded='3C 4C'"


def test_the_table_is_told_in_lines() -> None:
    seen = view(f"play hand='AS KH 2C' trick=QH trump=S {TABLE} tricks='3:5D 6D 7D / 2:9D KD TD'")
    assert list(table_lines(picture_of(seen), Reader(["ada", "Monte Carlo"], 0))) == [
        "--- pot 24, trump spades, 2♠ turned up ---",
        "  you: plays, drew 2, -6 chips",
        "  Monte Carlo: passed, -5 chips",
        "  seat 2 (dealer): plays, drew 0, 1 trick, -7 chips, cannot win this pot",
        "  seat 3: plays, drew 2, 1 trick, -6 chips",
        "  Trick: seat 3 Q♥",
        "  Your hand: 1 2♣   2 K♥   3 A♠",
    ]
    named = view("name_trump hand='AS KH 2C 3C 4C' preset=nba")
    first, second, *_ = table_lines(picture_of(named), Reader(you=0))
    assert (first, second) == ("--- pot 4, trump not named yet ---", "  you (dealer): has not declared, -1 chips")


def test_what_a_person_types_is_a_command_or_an_answer() -> None:
    async def type_in() -> list[str]:
        sitting, lines, told = Sitting(guided=True), asyncio.Queue[str](), list[str]()
        for line in ("legal\n", "\n", "9♦\n", "back\n", "2\n", "legal\n", "leave\n"):
            lines.put_nowait(line)
        sitting.desk.begin("A recorded deal.")
        seat = asyncio.ensure_future(Terminal(sitting, lines, told.append).run())
        card = await sitting.desk.ask(view("play hand='AS KH 2C' trick=QH trump=S"), MatchLog())
        stay = await sitting.desk.ask(view("stay hand='AS KH 2C 3C' trump=S preset=indiana"), MatchLog())
        assert (card.said, stay.said) == (Play(Card("KH")), Stay(False))
        sitting.finish("That was the puzzle.")
        await seat
        return told

    told = asyncio.run(type_in())
    said = [text for text in told if not text.startswith(("---", "  "))]
    answer = "9D is not in your hand: 2C KH AS. Answer with one card of your hand: 2C KH AS."
    back = "Here an answer stands: answers are taken back only in practice games."
    question = "Stay for another 1 chips, or leave the deal?"
    assert said == [
        *("Your turn: choose a card.", "Legal: K♥", answer, back, question, "No card is asked for."),
        "That was the puzzle.",
    ]
    assert [text.split()[0] for text in told if text.startswith("  [")] == ["[R5.2]"]
