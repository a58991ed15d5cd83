"""In a terminal: a replay in colours, which change no word, NO_COLOR, and what a shell completes."""

import re
from pathlib import Path

import pytest

from bourre_referee.cli.replay_colours import highlight
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import finished_run

SEQUENCES = re.compile(r"\x1b\[([\d;]*)m")
COLOURS = {*range(30, 38), *range(40, 48)}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished_run(tmp_path_factory.mktemp("terminal"), played=contests.played)


def colours_in(text: str) -> set[int]:
    """The numbers of the colours that a terminal would show."""
    return {int(code) for codes in SEQUENCES.findall(text) for code in codes.split(";") if code} & COLOURS


def test_colours_change_no_word_of_a_replay(bourre: Bourre, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = bourre("replay", finished, "m0001").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = bourre("replay", finished, "m0001").out
    assert colours_in(plain) == set()
    assert colours_in(shown) >= {31, 32, 36}
    assert SEQUENCES.sub("", shown) == plain


def test_no_color_keeps_a_replay_without_colours(
    bourre: Bourre, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert colours_in(bourre("replay", finished, "m0001", "--deal", 1).out) == set()


@pytest.mark.parametrize(
    ("line", "piece", "style"),
    [
        ("  2 ada   >QH    8D!   TC*", "QH", "deal.red"),
        ("  2 ada   >QH    8D!   TC*", "!", "deal.wrong"),
        ("  2 ada   >QH    8D!   TC*", "TC", "deal.black"),
        ("  2 ada   >QH    8D!   TC*", "*", "deal.won"),
        ("the pot of 5 stays (R7.2)", "R7.2", "deal.rule"),
        ("balances: ada +2, bob -3; pot 5", "+2", "deal.gain"),
        ("balances: ada +2, bob -3; pot 5", "-3", "deal.loss"),
        ("Deal 3 of 50: ada deals, pot 5", "Deal 3 of 50:", "deal.heading"),
    ],
)
def test_what_is_coloured(line: str, piece: str, style: str) -> None:
    text = highlight(line)
    assert (piece, style) in {(text.plain[span.start : span.end], span.style) for span in text.spans}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("practice --rules p", ["pagat"]),
        ("compare --rules p", ["pagat"]),
        ("rules show p", ["pagat"]),
        ("practice mine.py --against tight,lo", ["tight,loose", "tight,lowest"]),
        ("replay {run} m000", [f"m000{number}" for number in range(1, 10)]),
        ("replay {run}/nothing m000", []),
        ("export {run} --format j", ["jsonl"]),
    ],
)
def test_a_shell_completes(
    bourre: Bourre, finished: Path, monkeypatch: pytest.MonkeyPatch, words: str, offered: list[str]
) -> None:
    line = f"bourre {words.format(run=finished)}"
    monkeypatch.setenv("_BOURRE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert bourre().out.split() == offered
