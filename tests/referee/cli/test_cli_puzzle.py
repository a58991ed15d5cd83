"""`bourre puzzle --terminal`: recorded decisions of a run, by what a person types."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from bourre.record import asks, read
from bourre_referee.storage.run.run import Run
from tests.referee.command import Ended, called

ALWAYS = "in\ndraw\nstay\n1\n2\n3\n4\n5\n" * 40
"""What does not answer a question is refused, and the next line is tried."""


def solved(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: object) -> Ended:
    monkeypatch.setattr("sys.stdin", io.StringIO(ALWAYS))
    return called("play", "--puzzle", folder, 1, "--terminal", *words)


def test_every_decision_of_the_winner_in_the_first_deal_is_a_puzzle(
    monkeypatch: pytest.MonkeyPatch, half: Path
) -> None:
    record = read(Run.open(half).record("m0001"))
    winner = record.final.index(max(record.final))
    wanted = sum(ask.view.deal == 1 for ask in asks(record, winner))
    ended = solved(monkeypatch, half)
    told = [line for line in ended.out.splitlines() if line.startswith(("You: “", "You and "))]
    assert ended.code == 0
    assert len(told) == wanted > 0
    assert ended.out.splitlines()[-1] == "That was the puzzle."


def test_one_ask_of_a_named_bot_is_one_puzzle(monkeypatch: pytest.MonkeyPatch, half: Path) -> None:
    record = read(Run.open(half).record("m0001"))
    ended = solved(monkeypatch, half, "--deal", 2, "--ask", 1, "--as", record.header.bots[1])
    told = [line for line in ended.out.splitlines() if line.startswith(("You: “", "You and "))]
    assert (ended.code, len(told)) == (0, 1)
    assert "Deal 2: " in ended.out
    assert "Deal 1:" not in ended.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--deal", 99], "has no deal 99"),
        (["--ask", 99], "there is no decision 99"),
        (["--as", "nobody"], "has no bot 'nobody'. Bots: "),
    ],
)
def test_bad_input_ends_with_2(monkeypatch: pytest.MonkeyPatch, half: Path, words: list[object], says: str) -> None:
    ended = solved(monkeypatch, half, *words)
    assert ended.code == 2
    assert says in ended.err


def test_who_leaves_is_told_so(monkeypatch: pytest.MonkeyPatch, half: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert called("play", "--puzzle", half, 1, "--terminal").code == 130
