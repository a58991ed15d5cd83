"""Format numbers and names for pages."""

from __future__ import annotations

from bourre_referee.text import amounts
from bourre_referee.text.names import shorten

LONGEST_NAME = 60
"""The most characters of a name; longer ones are cut off."""


def signed(chips: float, decimals: int = 0) -> str:
    """Format chips won or lost."""
    text = amounts.signed(chips, decimals)
    return (text if float(text) else text[1:]).replace("-", "\N{MINUS SIGN}")


def number(value: float, decimals: int = 2) -> str:
    """Format a number other than chips."""
    return f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: tuple[float, float] | None, decimals: int = 1) -> str:
    """Format both ends; a dash without an interval."""
    return f"{signed(ends[0], decimals)} to {signed(ends[1], decimals)}" if ends else "\N{EN DASH}"


def count(times: int, one: str, more: str = "") -> str:
    """Format a count with its noun."""
    return f"{times:,} {one if times == 1 else more or one + 's'}"


def milliseconds(time: float) -> str:
    """Format the time that a bot took."""
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms"


def short(name: str) -> str:
    """Make a stranger's name short, and harmless for the text around it."""
    return shorten(name, LONGEST_NAME)
