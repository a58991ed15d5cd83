"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def head(cells: Sequence[str]) -> str:
    """The first two lines: names on the left, figures on the right."""
    return f"{line(cells)}\n|---|{'---:|' * (len(cells) - 1)}"
