"""Tables in Markdown, and in CSV for the long ones of research/results."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def line(cells: Iterable[str]) -> str:
    """Returns a row of a table."""
    return f"| {' | '.join(cells)} |"


def head(cells: Sequence[str]) -> str:
    """Returns the first two lines: names left-aligned, figures right-aligned."""
    return f"{line(cells)}\n|---|{'---:|' * (len(cells) - 1)}"


def add_to_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Adds rows to a file, which gets a line with the columns' names if it is new."""
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([names, *rows] if new else rows)
