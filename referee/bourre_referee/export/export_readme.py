"""The note that lies beside exported tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping

LINES: Mapping[str, str] = {
    "matches": "a row for each finished match",
    "seats": "a row for each bot of each match",
    "blocks": "a row for each bot of each block, the unit of the intervals",
    "deals": "a row for each seat of each deal",
    "decisions": "a row for each action",
    "ratings": "a row for each rating: of all matches, and after each of them",
}
"""What each table holds."""


def readme(title: str, tables: Collection[str], suffix: str, others: Mapping[str, str], folder: str = "") -> str:
    """The note: the title, then a line for each other file, and for each table; of which folder, if of any."""
    files = {**others, **{f"{folder}{name}.{suffix}": text for name, text in LINES.items() if name in tables}}
    width = max(map(len, files)) + 3
    lines = "".join(f"{name:{width}}{text}\n" for name, text in files.items())
    return f"{title}\ndocs/data.md of bourre explains every column.\n\n{lines}"
