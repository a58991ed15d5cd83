"""Names of bots, made safe to print."""

from collections import Counter
from collections.abc import Sequence


def printable(text: str) -> str:
    """Escape all that controls a terminal or the direction of its text (ESC, line ends, bidi marks)."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def shorten(name: str, most: int) -> str:
    """Make a name printable, and at most `most` characters long."""
    text = printable(name)
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def seat_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Return a printable name for each seat; a bot that sits twice gets its seat number too."""
    times = Counter(bots)
    return tuple(
        printable(bot) if times[bot] == 1 else f"{printable(bot)} (seat {seat})" for seat, bot in enumerate(bots)
    )
