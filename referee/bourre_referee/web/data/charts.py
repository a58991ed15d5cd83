"""Computes the coordinates of charts: lines with a band, interval strips, the cross-table as a heat map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from bourre_referee.statistics.estimates import CrossTable, Estimate
from bourre_referee.statistics.standing import Standing, Standings

WIDTH, HEIGHT = 560.0, 240.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 12.0, 34.0
"""Margins, with room for the numbers on the axes."""

POINTS = 200
"""The most points of a line, more than the chart can separate."""

LARGEST = 1e90
"""The largest number drawn, because pots without a limit outgrow every axis."""
SHORTEST = 1e-300
"""The shortest range of an axis, because a quarter of the smallest floats is 0."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value, and the ends of its band if there is one."""

    x: int
    value: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled number on an axis."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The parts of a drawing. `line` and `band` are paths of SVG."""

    line: str
    band: str
    """Empty if no point has a band."""
    values: tuple[Tick, ...]
    """The ticks of the vertical axis, lowest first."""
    first: Tick
    last: Tick
    zero: float | None
    """The height of 0, if it is on the chart."""
    end: tuple[float, float]
    """The coordinates of the end of the line."""


def chart(points: Sequence[Point]) -> Chart:
    """Returns the chart of these points, at least one, ordered by x."""
    shown = thin(points)
    values = [clamp(end) for point in shown for end in (point.value, *(point.ends or ()))]
    ticks = round_numbers(min(values), max(values))
    low, high = ticks[0], ticks[-1]
    first, last = shown[0].x, shown[-1].x

    def x_of(x: int) -> float:
        share = (x - first) / (last - first) if last > first else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y_of(value: float) -> float:
        share = (clamp(value) - low) / (high - low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    banded = [(x_of(point.x), y_of(point.ends[0]), y_of(point.ends[1])) for point in shown if point.ends]
    edge = [(x, upper) for x, _, upper in banded] + [(x, lower) for x, lower, _ in reversed(banded)]
    line = [(x_of(point.x), y_of(point.value)) for point in shown]
    return Chart(
        line=_path(line if len(line) > 1 else line * 2),
        band=f"{_path(edge)}Z" if len(banded) > 1 else "",
        values=tuple(Tick(y_of(value), value) for value in ticks),
        first=Tick(x_of(first), first),
        last=Tick(x_of(last), last),
        zero=y_of(0) if low < 0 < high else None,
        end=line[-1],
    )


def thin(points: Sequence[Point]) -> Sequence[Point]:
    """Keeps at most about POINTS of the points, always including the first and the last."""
    stride = max(1, -(-len(points) // POINTS))
    return [*points[:-1:stride], points[-1]]


def round_numbers(low: float, high: float) -> list[float]:
    """Returns four to nine round, evenly spaced numbers that span `low` to `high`."""
    reach = max((high - low) or abs(high) or 1.0, SHORTEST)
    power = 10.0 ** floor(log10(reach / 4))
    step = next(times * power for times in (10, 5, 2, 1) if reach / (times * power) >= 3 or times == 1)
    first = floor(low / step)
    last = max(first + 1, -floor(-high / step))
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def clamp(value: float) -> float:
    """Returns the value if it can be drawn, otherwise the nearest that can."""
    return min(max(value, -LARGEST), LARGEST) if isfinite(value) else 0.0


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places) if places else ""


SPARK_WIDTH, SPARK_HEIGHT = 240.0, 48.0
"""The size of a line without axes, in units of its picture."""


def spark(values: Sequence[float], others: Sequence[float] = ()) -> tuple[str, float]:
    """Returns the path of a line through these values, at least two, and the height of 0.

    `others` are values of lines on the same scale.
    """
    shown = [clamp(value) for value in values[:: max(1, len(values) // POINTS)]]
    ends = [0.0, *shown, *map(clamp, others)]
    low, high = min(ends), max(ends)
    step = (SPARK_HEIGHT - 4) / ((high - low) or 1.0)

    def y_of(value: float) -> float:
        return round(2 + (high - value) * step, 1)

    width = SPARK_WIDTH / (len(shown) - 1)
    return _path([(round(place * width, 1), y_of(value)) for place, value in enumerate(shown)]), y_of(0)


STRIP_WIDTH = 120.0
"""The width of every strip, in units of its picture."""

MARGIN = 4.0
"""The margin at both ends."""


Interval = tuple[float, float] | None
"""Both ends, if they are known."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Coordinates of a strip, from 0 to STRIP_WIDTH."""

    zero: float
    centre: float
    low: float
    high: float

    @property
    def side(self) -> str:
        """The side of 0 on which the interval lies: `above`, `below` or `across`."""
        return "above" if self.low > self.zero else "below" if self.high < self.zero else "across"


FURTHEST = 4
"""An axis ends at this many times the largest result, because intervals after a few matches are much wider."""


@dataclass(frozen=True, slots=True)
class StripAxis:
    """The axis that all strips of a table share. It includes 0, and ends at round numbers."""

    low: float
    high: float

    def place(self, chips: float) -> float:
        """Returns the coordinate of an amount, from 0 to STRIP_WIDTH. Amounts off the axis are at its ends."""
        step = (STRIP_WIDTH - 2 * MARGIN) / (self.high - self.low)
        return round(MARGIN + (min(max(chips, self.low), self.high) - self.low) * step, 2)

    def strip(self, centre: float | None, interval: Interval) -> Strip | None:
        """Returns the strip of an amount. None without an interval."""
        return Strip(self.place(0), self.place(centre or 0), *map(self.place, interval)) if interval else None


def strip_axis(amounts: Iterable[tuple[float | None, Interval]]) -> StripAxis:
    """Returns the axis for these amounts with their intervals, whose ends it need not reach if they are far away."""
    shown = list(amounts)
    furthest = FURTHEST * max((abs(clamp(centre or 0)) for centre, _ in shown), default=0.0)
    ends = [0.0, *(min(max(end, -furthest), furthest) for _, ends in shown for end in ends or ())]
    ticks = round_numbers(min(ends), max(ends))
    return StripAxis(ticks[0], ticks[-1])


def centre_with_interval(row: Standing) -> tuple[float | None, Interval]:
    """Returns the chips per 100 deals that pages show for a bot, and their interval.

    It is the effect with its comparison interval. Runs without effects show chips per 100 deals with a 95 % interval,
    in `duplicate` luck-adjusted, like their ties.
    """
    if row.effect is not None:
        return row.effect, row.effect95
    if row.adjusted_ci95:
        return row.adjusted_per_100, row.adjusted_ci95
    return row.chips_per_100, row.ci95


STEPS = 3
"""Shades of colour for each sign."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """The result of the row's bot against the column's bot."""

    chips: float
    """The difference in chips per 100 deals."""
    reach: float | None
    """Half the width of the 95 % interval."""
    tone: str
    """`win1` to `win3`, `lose1` to `lose3`, or empty."""
    sure: bool
    """Whether the interval excludes 0."""
    contradicts: bool
    """Whether it says the opposite of the bots' places."""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A row of the heat map. Cells are None for the bot itself and for bots that it never met."""

    standing: Standing
    cells: tuple[HeatCell | None, ...]


def heat_rows(standings: Standings, cross: CrossTable) -> tuple[HeatRow, ...]:
    """Returns the heat map of a cross-table, with rows and columns in the order of the standings."""
    largest = max((abs(cell.chips_per_100) for line in cross for cell in line if cell), default=0.0)
    return tuple(
        HeatRow(
            row,
            tuple(
                _cell(cell, largest, standings.contradicts(place, at, cell)) if cell and cell.deals else None
                for at, cell in enumerate(line)
            ),
        )
        for place, (row, line) in enumerate(zip(standings.rows, cross, strict=True))
    )


def _cell(estimate: Estimate, largest: float, contradicts: bool) -> HeatCell:
    ends = estimate.ci95
    return HeatCell(
        chips=estimate.chips_per_100,
        reach=ends and ends[1] / 2 - ends[0] / 2,
        tone=_tone(estimate.chips_per_100, largest),
        sure=ends is not None and not ends[0] <= 0 <= ends[1],
        contradicts=contradicts,
    )


def _tone(chips: float, largest: float) -> str:
    """Returns a shade, in equal steps up to the largest difference in the table."""
    if not chips:
        return ""
    step = min(STEPS, 1 + int(STEPS * (abs(chips) / largest)))
    return f"{'win' if chips > 0 else 'lose'}{step}"
