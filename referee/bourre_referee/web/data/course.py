"""The course of a contest: every bot's chips per 100 deals, with intervals, as the matches were taken in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bourre_referee.statistics.estimates import ADJUSTED_PARTS, Estimate, estimate_per_100
from bourre_referee.statistics.tally import BotSums, Tally

MOST_POINTS = 60
"""The most points of time that are kept; at twice as many, every second one is dropped."""


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """The estimates after so many matches."""

    matches: int
    estimates: Mapping[str, Estimate]
    """By bot, for those that have played; less the luck of the draw where it is known."""


class Course:
    """Keeps evenly spaced points while a tally grows; it never reads a match twice."""

    def __init__(self) -> None:
        self._points: list[CoursePoint] = []
        self._stride = 1

    def note(self, tally: Tally) -> None:
        """Look at the tally after one more match."""
        if tally.matches % self._stride:
            return
        self._points.append(_point(tally))
        if len(self._points) == 2 * MOST_POINTS:
            self._points = self._points[1::2]
            self._stride *= 2

    def points(self, tally: Tally) -> tuple[CoursePoint, ...]:
        """Return the points so far, the last of which is now; none before the first match."""
        known = self._points[-1].matches if self._points else 0
        return (*self._points, _point(tally)) if tally.matches > known else tuple(self._points)


def _point(tally: Tally) -> CoursePoint:
    return CoursePoint(tally.matches, {bot: _estimate(sums) for bot, sums in tally.bots.items()})


def _estimate(sums: BotSums) -> Estimate:
    if sums.adjusted.blocks:
        return estimate_per_100(sums.adjusted, sums.unit * ADJUSTED_PARTS)
    return estimate_per_100(sums.blocks, sums.unit)
