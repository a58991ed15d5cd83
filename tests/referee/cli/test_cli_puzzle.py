"""`bourre play --puzzle --terminal`: recorded decisions of a run, by what a person types."""

from __future__ import annotations

import io
import re
from datetime import date
from itertools import islice
from pathlib import Path

import pytest

from bourre.record import asks, read
from bourre_referee.cli.posed_puzzles import PosedPuzzle, draw_puzzles
from bourre_referee.storage.run.run import Run
from bourre_seats.seat.hints import give_hint
from tests.referee.command import Ended, called

ALWAYS = "in\ndraw\nstay\n1\n2\n3\n4\n5\nnext\n"
"""What does not answer a question is refused, and the next line is tried."""


def solved(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: object, puzzles: int = 1) -> Ended:
    monkeypatch.setattr("sys.stdin", io.StringIO(ALWAYS * puzzles))
    return called("play", "--puzzle", folder, 1, "--terminal", *words)


def verdicts(told: str) -> list[str]:
    """Both choices of each solved puzzle."""
    return [line for line in told.splitlines() if line.startswith(("You: “", "You and "))]


def test_every_decision_of_the_winner_in_the_first_deal_is_a_puzzle(
    monkeypatch: pytest.MonkeyPatch, half: Path
) -> None:
    record = read(Run.open(half).record("m0001"))
    winner = record.final.index(max(record.final))
    wanted = sum(ask.view.deal == 1 for ask in asks(record, winner))
    ended = solved(monkeypatch, half, puzzles=wanted + 2)
    first, *others = re.split("^Puzzle .*: ", ended.out, flags=re.MULTILINE)
    assert ended.code == 0
    assert first.startswith(f"From a real deal: {record.header.bots[winner]}'s seat, match m0001, deal 1\n")
    assert len(verdicts(first)) == wanted > 0
    assert others, "the next puzzle is of the same run"
    assert all("'s seat, match m000" in other for other in others)


def test_one_ask_of_a_named_bot_is_one_puzzle(monkeypatch: pytest.MonkeyPatch, half: Path) -> None:
    record = read(Run.open(half).record("m0001"))
    ended = solved(monkeypatch, half, "--deal", 2, "--ask", 1, "--as", record.header.bots[1])
    first = re.split("^Puzzle ", ended.out, flags=re.MULTILINE)[0]
    assert (ended.code, len(verdicts(first))) == (0, 1)
    assert "Deal 2: " in first
    assert "Deal 1:" not in first


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


def test_a_day_has_its_own_puzzles_which_all_have_one_best_choice(half: Path) -> None:
    def first(day: date) -> PosedPuzzle:
        return next(draw_puzzles(Run.open(half), day))

    today, second = islice(draw_puzzles(Run.open(half), date(2026, 11, 27)), 2)
    again, other = first(date(2026, 11, 27)), first(date(2026, 11, 28))
    assert (today.title, today.puzzle.ask) == (again.title, again.puzzle.ask) != (other.title, other.puzzle.ask)
    assert (today.kicker, second.kicker) == ("Puzzle of the day, 27 November 2026", "Puzzle 2")
    best, behind, *_ = give_hint(today.puzzle.asks[-1].view, 64).estimates
    assert (best.is_best, behind.is_best) == (True, False)
    assert behind.lag >= 0.5


def test_without_a_match_the_puzzle_of_the_day_comes_first(monkeypatch: pytest.MonkeyPatch, half: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    ended = called("play", "--puzzle", half, "--terminal")
    assert ended.out.startswith(f"Puzzle of the day, {date.today():%-d %B %Y}: ")
    refused = called("play", "--puzzle", half, "--deal", 3, "--terminal")
    assert (refused.code, "need MATCH" in refused.err) == (2, True)


def test_who_leaves_is_told_so(monkeypatch: pytest.MonkeyPatch, half: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert called("play", "--puzzle", half, 1, "--terminal").code == 130


def test_a_run_without_a_match_has_no_puzzle(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "matches", lambda run: ())
    ended = called("play", "--puzzle", half, "--terminal")
    assert (ended.code, "no decision with one best choice" in ended.err) == (2, True)
