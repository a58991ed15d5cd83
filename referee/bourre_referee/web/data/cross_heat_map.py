"""The cross-table as a heat map."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.standing import Standing, Standings

STEPS = 3
"""Depths of colour to either side."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """What the bot of the row has won from that of the column."""

    chips: float
    """Per 100 deals."""
    reach: float | None
    """Half of the 95 % interval."""
    tone: str
    """`win1` to `win3`, `lose1` to `lose3`, or nothing."""
    sure: bool
    """Whether the interval leaves out 0."""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A row; None for the bot itself, and for those whom it never met."""

    standing: Standing
    cells: tuple[HeatCell | None, ...]


def heat_rows(standings: Standings) -> tuple[HeatRow, ...]:
    """Rows and columns are in the order of the standings."""
    largest = max((abs(cell.chips_per_100) for line in standings.cross for cell in line if cell), default=0.0)
    return tuple(
        HeatRow(row, tuple(_cell(cell, largest) if cell and cell.deals else None for cell in line))
        for row, line in zip(standings.rows, standings.cross, strict=True)
    )


def _cell(known: Estimate, largest: float) -> HeatCell:
    ends = known.ci95
    return HeatCell(
        chips=known.chips_per_100,
        reach=ends and ends[1] / 2 - ends[0] / 2,
        tone=_tone(known.chips_per_100, largest),
        sure=ends is not None and not ends[0] <= 0 <= ends[1],
    )


def _tone(chips: float, largest: float) -> str:
    """In equal steps up to the largest difference of the table."""
    if not chips:
        return ""
    step = min(STEPS, 1 + int(STEPS * (abs(chips) / largest)))
    return f"{'win' if chips > 0 else 'lose'}{step}"
