"""Names: those of the suits, and those that strangers chose, made fit to be printed."""

from collections import Counter
from collections.abc import Sequence

from bourre.rules.cards import Suit

SUITS = {Suit.C: "clubs", Suit.D: "diamonds", Suit.H: "hearts", Suit.S: "spades"}


def printable(text: str) -> str:
    """The text with whatever steers a terminal or turns its writing round (ESC, line ends, bidi marks) spelled out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def shortened(name: str, most: int) -> str:
    """What a stranger chose as a name, printable and of so many characters at the most."""
    seen = printable(name)
    return seen if len(seen) <= most else f"{seen[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def seat_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A printable name for each seat; a bot that sits twice is told apart by its seats."""
    times = Counter(bots)
    return tuple(
        printable(bot) if times[bot] == 1 else f"{printable(bot)} (seat {seat})" for seat, bot in enumerate(bots)
    )
