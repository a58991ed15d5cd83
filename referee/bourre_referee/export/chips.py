"""Chips as numbers of an export."""

from __future__ import annotations

from bourre.rules.pot import UNIT

MOST = 10**300
"""Numbers end here: a pot that nobody limits may grow until no float holds it."""


def in_chips(parts: int, unit: int) -> float:
    """The number of chips that is nearest to these parts, of which a chip has `unit`."""
    return min(max(parts, -MOST * unit), MOST * unit) / unit


def in_840(parts: int, unit: int) -> int:
    """The same in 1/840 chips, exactly."""
    return parts * (UNIT // unit)
