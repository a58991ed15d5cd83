"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def line(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def head(cells: Sequence[str]) -> str:
    """Return the first two lines: names left-aligned, figures right-aligned."""
    return f"{line(cells)}\n|---|{'---:|' * (len(cells) - 1)}"
