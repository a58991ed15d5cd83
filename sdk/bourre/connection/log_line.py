"""What a bot's own log says about its referee: one line, whatever the referee sent."""

from __future__ import annotations

MOST_CHARACTERS = 500
"""How long a line may be."""


def log_line(text: str) -> str:
    """Returns a text as a line of the log, cut if it is too long, with a space for each character that is no print."""
    line = "".join(character if character.isprintable() else " " for character in text[: MOST_CHARACTERS + 1])
    return f"bourre: {line if len(line) <= MOST_CHARACTERS else line[: MOST_CHARACTERS - 1] + '…'}"
