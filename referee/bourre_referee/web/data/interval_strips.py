"""Intervals as short strips beside each other, all on one scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.statistics.standing import Standing

WIDTH = 120.0
"""Of every strip, in units of its picture."""

MARGIN = 4.0
"""Left free at both ends."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Where to draw, from 0 to WIDTH."""

    zero: float
    centre: float
    low: float
    high: float


def strips(rows: Sequence[Standing]) -> Mapping[str, Strip]:
    """Chips per 100 deals with their 95 % interval, by bot; none where there is no interval.

    In `duplicate` less the luck of the draw: what the standings call tied is found by those.
    """
    known = {row.bot: (centre, ends) for row in rows for centre, ends in [_shown(row)] if ends}
    low, high = _reach(ends for _, ends in known.values())
    step = (WIDTH - 2 * MARGIN) / (high - low)

    def place(chips: float) -> float:
        return round(MARGIN + (chips - low) * step, 2)

    return {bot: Strip(place(0), place(centre), *map(place, ends)) for bot, (centre, ends) in known.items()}


def _shown(row: Standing) -> tuple[float, tuple[float, float] | None]:
    if row.adjusted_per_100 is not None and row.adjusted_ci95:
        return row.adjusted_per_100, row.adjusted_ci95
    return row.chips_per_100, row.ci95


def _reach(intervals: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """From the lowest to the highest end, 0 among them; never of no width."""
    ends = [0.0, *(end for interval in intervals for end in interval)]
    return (min(ends), max(ends)) if min(ends) < max(ends) else (-1.0, 1.0)
