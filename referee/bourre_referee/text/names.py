"""Makes text that others chose, such as names of bots, safe to print."""

from collections import Counter
from collections.abc import Sequence
from unicodedata import category

MOST_MARKS = 4
"""The most marks on one letter. Pointed Hebrew needs this many, and more would cover the lines around."""

ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
"""Characters that keep a right-to-left name from reversing the text next to it, as `<bdi>` does."""


def printable(text: str) -> str:
    """Escapes characters that control a terminal or the text direction, and excess marks on one letter."""
    if text.isascii() and text.isprintable():
        return text
    shown, marks = list[str](), 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        sound = char.isprintable() and marks <= MOST_MARKS
        shown.append(char if sound else char.encode("unicode_escape").decode())
    return "".join(shown)


def shorten(name: str, most: int) -> str:
    """Makes a name printable, and at most `most` characters long."""
    text = printable(name[: most + 1])
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def isolated(name: str) -> str:
    """Isolates a printable name from the sentence around it."""
    return f"{ISOLATE}{name}{END_OF_ISOLATE}"


def seat_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Returns a printable name for each seat. A bot that sits twice also gets its seat number."""
    times = Counter(bots)
    return tuple(
        printable(bot) if times[bot] == 1 else f"{printable(bot)} (seat {seat})" for seat, bot in enumerate(bots)
    )


def isolate_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Returns the printable name of each seat, isolated."""
    return tuple(map(isolated, seat_names(bots)))
