"""A bot's remarks on its answers: notes and usage."""

from __future__ import annotations

from dataclasses import dataclass

MOST_NOTE_BYTES = 2048
"""The most bytes of UTF-8 in the notes on one answer. The rest is cut."""
MILLIONTHS = 1_000_000
"""The parts of a unit of money."""
MOST_TOKENS = 2**32 - 1
"""The most tokens or calls that one answer can report, a limit of the wire."""
MOST_COST = 10**12
"""The most millionths of a unit of money that one answer can report."""
_MOST_IN_ALL = 2**63 - 1
"""The largest sum, a limit of databases."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of answers, as the bot counts it."""

    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    cost_millionths: int = 0
    """Cost in millionths of a unit of money."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            min(self.tokens_in + other.tokens_in, _MOST_IN_ALL),
            min(self.tokens_out + other.tokens_out, _MOST_IN_ALL),
            min(self.calls + other.calls, _MOST_IN_ALL),
            min(self.cost_millionths + other.cost_millionths, _MOST_IN_ALL),
        )

    def __str__(self) -> str:
        cost = f", cost {self.cost_millionths / MILLIONTHS:,.2f}" if self.cost_millionths else ""
        return f"{self.calls:,} calls, {self.tokens_in:,} tokens in, {self.tokens_out:,} out{cost}"

    def limited(self) -> Usage:
        """Returns this usage within the limits of one answer."""
        return Usage(
            min(self.tokens_in, MOST_TOKENS),
            min(self.tokens_out, MOST_TOKENS),
            min(self.calls, MOST_TOKENS),
            min(self.cost_millionths, MOST_COST),
        )


class Remarks:
    """A bot's remarks since its last answer."""

    __slots__ = ("note", "usage")

    def __init__(self) -> None:
        self.note = ""
        self.usage: Usage | None = None

    def add_note(self, text: str) -> None:
        """Adds one line or several."""
        self.note = shorten_note(f"{self.note}\n{text}" if self.note else text)

    def add_usage(self, usage: Usage) -> None:
        """Adds to the usage."""
        self.usage = usage if self.usage is None else self.usage + usage


def shorten_note(text: str, most: int = MOST_NOTE_BYTES) -> str:
    """Returns the first `most` bytes of a text in UTF-8. A character that UTF-8 lacks becomes "?"."""
    data = text[:most].encode("utf-8", "replace")
    return data[:most].decode("utf-8", "ignore")
