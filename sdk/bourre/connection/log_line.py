"""Writes a message about the referee as one line of the bot's log."""

from __future__ import annotations

SIGN = "bourre: "
"""The beginning of each line that the SDK itself writes."""

MOST_CHARACTERS = 500
"""The longest line."""


def log_line(text: str) -> str:
    """Returns a text as one line of the log, cut to its limit, with spaces for unprintable characters."""
    line = "".join(character if character.isprintable() else " " for character in text[: MOST_CHARACTERS + 1])
    return f"{SIGN}{line if len(line) <= MOST_CHARACTERS else line[: MOST_CHARACTERS - 1] + '…'}"
