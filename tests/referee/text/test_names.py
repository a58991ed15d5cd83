"""Names and other text of strangers, made safe to print."""

import pytest

from bourre_referee.text.names import MOST_MARKS, printable, shorten

ACUTE = "\u0301"


@pytest.mark.parametrize(
    "text", ["ada", "Zo\u00eb", "Zoe\u0308", "Vie\u0302\u0323t", "\u05d1\u05bc\u05b8\u0591", "a~b {c}"]
)
def test_names_of_any_language_are_shown_as_they_are(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("mark", [ACUTE, "\u0489", "\U0001d167"])
def test_marks_do_not_pile_up_over_other_lines(mark: str) -> None:
    shown = printable(f"a{mark * 60}b{mark}")
    assert shown.startswith("a" + mark * MOST_MARKS + "\\")
    assert shown.count(mark) == MOST_MARKS + 1
    assert shown.endswith(f"b{mark}")


def test_a_short_name_is_cut_after_it_is_made_printable() -> None:
    assert shorten("\x1b" * 1_000_000, 10) == "\\x1b\\x1b\\\N{HORIZONTAL ELLIPSIS}"
