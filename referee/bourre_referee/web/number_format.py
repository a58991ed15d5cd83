"""Numbers and names as pages show them."""

from __future__ import annotations

from bourre_referee.text import amounts
from bourre_referee.text.names import shortened

LONGEST_NAME = 60
"""Characters; what is longer is cut off."""


def signed(chips: float, decimals: int = 0) -> str:
    """Chips won or lost."""
    text = amounts.signed(chips, decimals)
    return (text if float(text) else text[1:]).replace("-", "\N{MINUS SIGN}")


def number(value: float, decimals: int = 2) -> str:
    """A number that is no amount of chips."""
    return f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: tuple[float, float] | None, decimals: int = 1) -> str:
    """Both ends; a dash where there is none."""
    return f"{signed(ends[0], decimals)} to {signed(ends[1], decimals)}" if ends else "\N{EN DASH}"


def count(times: int, one: str, more: str = "") -> str:
    """So many of a thing, in words."""
    return f"{times:,} {one if times == 1 else more or one + 's'}"


def milliseconds(time: float) -> str:
    """A time that a bot took."""
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms"


def short(name: str) -> str:
    """What a stranger chose as a name: nothing in it steers the text around it, and it is not too long to be shown."""
    return shortened(name, LONGEST_NAME)
