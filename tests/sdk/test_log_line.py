"""Lines in a bot's log: whatever a referee sends, the terminal shows one line of limited length."""

from __future__ import annotations

from bourre.connection.log_line import MOST_CHARACTERS, log_line


def test_words_stay_as_they_are() -> None:
    assert log_line("you are 3rd of 12 on the board: café") == "bourre: you are 3rd of 12 on the board: café"


def test_nothing_in_a_line_controls_a_terminal() -> None:
    assert log_line("a\nb\x1b[2Jc\u202ed\u2028e\x00") == "bourre: a b [2Jc d e "


def test_a_long_text_is_cut() -> None:
    line = log_line("x" * MOST_CHARACTERS)
    assert line == f"bourre: {'x' * MOST_CHARACTERS}"
    assert log_line("x" * 10**6) == f"{line[:-1]}…"
