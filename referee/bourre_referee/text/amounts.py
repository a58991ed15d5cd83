"""Amounts of chips: as numbers, and as they are shown."""

from __future__ import annotations

from fractions import Fraction

from bourre.rules.pot import UNIT

MOST = 10**300
"""Numbers end here: a pot that nobody limits may grow until no float holds it."""

ASTRONOMICAL = 1e9
"""Chips beyond this, which only pots without a limit come to, are told in powers of ten."""


def in_chips(parts: int, unit: int) -> float:
    """The number of chips that is nearest to these parts, of which a chip has `unit`."""
    return min(max(parts, -MOST * unit), MOST * unit) / unit


def in_840(parts: int, unit: int) -> int:
    """The same in 1/840 chips, exactly."""
    return parts * (UNIT // unit)


def signed(chips: float, decimals: int) -> str:
    """Chips won or lost, with their sign."""
    return f"{chips:+.{decimals}f}" if abs(chips) < ASTRONOMICAL else f"{chips:+.2e}"


def unsigned(chips: float, decimals: int) -> str:
    """Chips without a plus sign, as of a flow or a distance."""
    return signed(chips, decimals).removeprefix("+")


def exact(units: int) -> str:
    """So many 1/840 chips with their sign, exactly: whole chips and a fraction, such as `-3 1/4`."""
    whole, part = divmod(abs(units), UNIT)
    words = [str(whole)] if whole or not part else []
    words += [str(Fraction(part, UNIT))] if part else []
    return f"{'-' if units < 0 else '+'}{' '.join(words)}"
