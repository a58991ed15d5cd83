"""Plot the chips of each bot over its deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bourre_referee.export.plots.plot_style import BLUE, GREY, PALE, chips_axis, drawable, picture, short
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import blocks_of
from bourre_referee.statistics.standing import Standings
from bourre_referee.text.amounts import in_chips


@dataclass(frozen=True, slots=True)
class ChipHistory:
    """A bot's chips after each of its blocks, in schedule order, from the start."""

    bot: str
    deals: tuple[int, ...]
    """Deals played so far."""
    chips: tuple[float, ...]
    """Chips won or lost so far."""


def courses(results: Sequence[MatchResult], bots: Sequence[str], points: int) -> list[ChipHistory]:
    """Return the chip history of each bot in this order, thinned to about `points` points; the last one stays."""
    steps: dict[str, list[tuple[int, float]]] = {bot: [] for bot in bots}
    sums = dict.fromkeys(bots, (0, 0))
    for match in results:
        for number, seat in enumerate(match.seats):
            deals, parts = sums[seat.bot]
            for block in blocks_of(match, number):
                deals, parts = deals + block.deals, parts + block.chips
                steps[seat.bot].append((deals, drawable(in_chips(parts, match.unit))))
            sums[seat.bot] = deals, parts
    return [_course(bot, steps[bot], points) for bot in bots]


def _course(bot: str, steps: Sequence[tuple[int, float]], points: int) -> ChipHistory:
    stride = max(1, -(-len(steps) // points))
    kept = [(0, 0.0), *steps[stride - 1 :: stride]]
    if steps and kept[-1] != steps[-1]:
        kept.append(steps[-1])
    return ChipHistory(bot, tuple(deals for deals, _ in kept), tuple(chips for _, chips in kept))


MOST_WITH_OTHERS = 24
"""The most bots with which the others are drawn behind each."""


def course_picture(standings: Standings, courses: Sequence[ChipHistory], note: str) -> Figure:
    """Draw chips after each block over the deals played; best bot first, all panels on one scale."""
    columns = ceil(sqrt(len(courses)))
    rows = ceil(len(courses) / columns)
    behind = "Pale: the other bots.\n" if len(courses) <= MOST_WITH_OTHERS else ""
    title = f"{short(standings.contest)}: chips won, by deals played"
    figure = picture(max(7.0, 2.3 * columns), 1.2 + 1.7 * rows, title, f"{behind}{note}")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flatten().tolist()
    for number, axes in enumerate(grid):
        if number < len(courses):
            _panel(axes, courses[number], courses if behind else ())
            axes.set_title(f"{number + 1}  {short(courses[number].bot)}", fontsize=9)
        else:
            axes.set_visible(False)
    chips_axis(grid[0].yaxis, [chips for course in courses for chips in course.chips])
    return figure


def _panel(axes: Axes, own: ChipHistory, all_courses: Sequence[ChipHistory]) -> None:
    for course in all_courses:
        if course is not own:
            axes.plot(course.deals, course.chips, color=PALE, linewidth=0.6)
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.plot(own.deals, own.chips, color=BLUE, linewidth=1.5)
    axes.tick_params(labelsize=7)
