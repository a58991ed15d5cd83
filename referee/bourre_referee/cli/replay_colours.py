"""Colours of a replay on a terminal."""

from __future__ import annotations

from rich.highlighter import RegexHighlighter
from rich.text import Text
from rich.theme import Theme

THEME = Theme(
    {
        "deal.heading": "bold",
        "deal.red": "red",
        "deal.black": "bold",
        "deal.led": "cyan",
        "deal.won": "bold green",
        "deal.wrong": "bold white on red",
        "deal.rule": "cyan",
        "deal.gain": "green",
        "deal.loss": "red",
    }
)


class _Deal(RegexHighlighter):
    """Finds cards, marks, rules and chips in the lines of a deal."""

    base_style = "deal."
    highlights = [  # noqa: RUF012  (as rich's own classes have it)
        r"(?P<heading>^Deal \d+ of \d+(, seating \d+ of \d+)?:|^match .*)",
        r"(?<!\w)(?P<red>[2-9TJQKA][DH♦♥])(?!\w)",
        r"(?<!\w)(?P<black>[2-9TJQKA][CS♣♠])(?!\w)",
        r"(?P<led>>)(?=[2-9TJQKA][CDHS♣♦♥♠])",
        r"(?<=[CDHS♣♦♥♠])(?P<won>\*)",
        r"(?<=[CDHS♣♦♥♠])(?P<wrong>\*?[!?])",
        r"(?P<rule>\bR\d\.\d+\b)",
        r"(?P<gain>(?<= )\+\d+( \d+(?=/))?(/\d+)?)\b",
        r"(?P<loss>(?<= )-\d+( \d+(?=/))?(/\d+)?)\b",
    ]


_DEAL = _Deal()


def highlight(line: str) -> Text:
    """Styles a line of a replay by THEME."""
    return _DEAL(Text(line))
