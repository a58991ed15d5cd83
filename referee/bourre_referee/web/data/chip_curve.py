"""The curve of a contest: every bot's chips per 100 deals over time, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.statistics.estimates import ADJUSTED_PARTS, Estimate, estimate_per_100
from bourre_referee.statistics.match_sums import BotSums, Tally
from bourre_referee.web.data.charts import Tick, clamp, round_numbers

MOST_POINTS = 60
"""The most points in time that are kept. At twice as many, every second one is dropped."""


@dataclass(frozen=True, slots=True)
class ChipCurvePoint:
    """The estimates after this many matches."""

    matches: int
    estimates: Mapping[str, Estimate]
    """By bot, for those that have played, less the luck of the draw where it is known."""


class ChipCurve:
    """Keeps evenly spaced points while a tally grows. It never reads a match twice."""

    def __init__(self) -> None:
        self._points: list[ChipCurvePoint] = []
        self._stride = 1

    def note(self, tally: Tally) -> None:
        """Notes the tally after one more match."""
        if tally.matches % self._stride:
            return
        self._points.append(_point(tally))
        if len(self._points) == 2 * MOST_POINTS:
            self._points = self._points[1::2]
            self._stride *= 2

    def points(self, tally: Tally) -> tuple[ChipCurvePoint, ...]:
        """Returns the points so far, of which the last is now. There are none before the first match."""
        known = self._points[-1].matches if self._points else 0
        return (*self._points, _point(tally)) if tally.matches > known else tuple(self._points)


def _point(tally: Tally) -> ChipCurvePoint:
    return ChipCurvePoint(tally.matches, {bot: _estimate(sums) for bot, sums in tally.bots.items()})


def _estimate(sums: BotSums) -> Estimate:
    if sums.adjusted.blocks:
        return estimate_per_100(sums.adjusted, sums.unit * ADJUSTED_PARTS)
    return estimate_per_100(sums.blocks, sums.unit)


SIDE = 1000.0
"""The width and height of the plot in its own coordinates, which the page stretches."""

TONES = 8
"""The number of colours. Further bots have the same colours with another dash."""

MOST_SERIES = 24
"""The most bots with a line, best first. More would hide each other."""

LABELS = 14
"""The most bots with a name at the end of their line."""

SPACE = 5.0
"""The least distance between the names, in per cent of the height."""

WARM_UP = 0.2
"""The share of early matches with unsteady estimates: lines may leave the chart, and have no band."""


@dataclass(frozen=True, slots=True)
class Series:
    """One bot's line."""

    bot: str
    number: int
    """Its number in addresses, from 1."""
    tone: int
    """Its colour, from 1 to TONES."""
    dash: int
    """The kind of dashes. 0 is a full line."""
    line: str
    band: str
    """Paths of SVG. The band is empty without intervals."""
    last: Estimate
    end: float
    """The height of the line's end, in per cent from the top."""
    label: float | None
    """The height of its name, in per cent from the top. None without a name."""


@dataclass(frozen=True, slots=True)
class ChipCurveChart:
    """The parts of a drawing."""

    series: tuple[Series, ...]
    """In the order of the standings."""
    values: tuple[Tick, ...]
    """The ticks of the vertical axis, in per cent from the top, lowest value first."""
    zero: float | None
    """The height of 0, if it is on the chart."""
    matches: int
    """The number of its matches."""
    bots: int
    """The number of bots that have played. Only the best MOST_SERIES have a line."""


def chip_curve_chart(
    points: Sequence[ChipCurvePoint], ranked: Sequence[str], numbers: Mapping[str, int]
) -> ChipCurveChart | None:
    """Returns the chart of these points, with bots in the order of the standings. None with fewer than two points."""
    if len(points) < 2:
        return None
    last = points[-1]
    played = [bot for bot in ranked if bot in last.estimates]
    shown = played[:MOST_SERIES]
    ticks = round_numbers(*_range(points))
    axis = _Axis(ticks[0], ticks[-1], points[0].matches, last.matches)
    ends = {bot: axis.per_cent(last.estimates[bot].chips_per_100) for bot in shown}
    labels = spread({bot: ends[bot] for bot in shown[:LABELS]})
    return ChipCurveChart(
        series=tuple(_series(bot, numbers[bot], points, axis, ends[bot], labels.get(bot)) for bot in shown),
        values=tuple(Tick(axis.per_cent(value), value) for value in ticks),
        zero=axis.per_cent(0) if ticks[0] < 0 < ticks[-1] else None,
        matches=last.matches,
        bots=len(played),
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    first: int
    last: int

    def per_cent(self, value: float) -> float:
        """Returns the height of a value in per cent from the top. Values outside the chart stay at its edge."""
        share = (clamp(value) - self.low) / (self.high - self.low)
        return round(100 - 100 * min(max(share, 0.0), 1.0), 2)

    def has_begun(self, matches: int) -> bool:
        """Returns whether there are enough matches to plot."""
        return matches >= WARM_UP * self.last

    def place(self, matches: int, value: float) -> str:
        across = SIDE * (matches - self.first) / (self.last - self.first)
        return f"{across:.0f} {SIDE / 100 * self.per_cent(value):.0f}"


def _range(points: Sequence[ChipCurvePoint]) -> tuple[float, float]:
    """Returns the lowest and highest value of the chart: the last intervals, and the lines without their start."""
    last = points[-1]
    begun = [point for point in points if point.matches >= WARM_UP * last.matches]
    values = [estimate.chips_per_100 for point in begun for estimate in point.estimates.values()]
    ends = [end for estimate in last.estimates.values() for end in estimate.ci95 or ()]
    shown = [0.0, *map(clamp, values), *map(clamp, ends)]
    return min(shown), max(shown)


def _series(
    bot: str, number: int, points: Sequence[ChipCurvePoint], axis: _Axis, end: float, label: float | None
) -> Series:
    own = [(point.matches, point.estimates[bot]) for point in points if bot in point.estimates]
    line = [axis.place(matches, estimate.chips_per_100) for matches, estimate in own]
    banded = [(matches, estimate.ci95) for matches, estimate in own if estimate.ci95 and axis.has_begun(matches)]
    edge = [axis.place(matches, ends[1]) for matches, ends in banded]
    edge += [axis.place(matches, ends[0]) for matches, ends in reversed(banded)]
    return Series(
        bot=bot,
        number=number,
        tone=(number - 1) % TONES + 1,
        dash=(number - 1) // TONES % 3,
        line="M" + "L".join(line),
        band=f"M{'L'.join(edge)}Z" if len(banded) > 1 else "",
        last=own[-1][1],
        end=end,
        label=label,
    )


def spread(heights: Mapping[str, float]) -> Mapping[str, float]:
    """Moves overlapping names apart as little as possible: those that touch stand around the middle of their places."""
    bots = sorted(heights, key=lambda bot: heights[bot])
    groups: list[list[str]] = []
    for bot in bots:
        groups.append([bot])
        while len(groups) > 1 and _top(groups[-2], heights) + SPACE * len(groups[-2]) > _top(groups[-1], heights):
            last = groups.pop()
            groups[-1] += last
    return {bot: round(_top(group, heights) + SPACE * at, 2) for group in groups for at, bot in enumerate(group)}


def _top(group: Sequence[str], heights: Mapping[str, float]) -> float:
    """Returns the place of the first name of a group, which stays on the chart."""
    reach = SPACE * (len(group) - 1)
    middle = sum(heights[bot] for bot in group) / len(group)
    return min(max(middle - reach / 2, 2.0), 98.0 - reach)
