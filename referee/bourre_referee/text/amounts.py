"""Converts amounts of chips to numbers and to text."""

from __future__ import annotations

from bourre.rules.pot import UNIT

LARGEST = 10**300
"""The largest amount, because a pot without a limit may grow beyond every float."""

ASTRONOMICAL = 1e9
"""Larger amounts, which only pots without a limit reach, are shown as powers of ten."""


def in_chips(parts: int, unit: int) -> float:
    """Returns the number of chips nearest to these parts. A chip has `unit` parts."""
    return min(max(parts, -LARGEST * unit), LARGEST * unit) / unit


def in_840(parts: int, unit: int) -> int:
    """Returns the exact amount in 1/840 chips."""
    return parts * (UNIT // unit)


def signed(chips: float, decimals: int, thousands: str = "") -> str:
    """Formats chips won or lost, with their sign, and with this separator of thousands."""
    return f"{chips:+{thousands}.{decimals}f}" if abs(chips) < ASTRONOMICAL else f"{chips:+.2e}"


def unsigned(chips: float, decimals: int) -> str:
    """Formats chips without a plus sign, such as a flow or a distance."""
    return signed(chips, decimals).removeprefix("+")
