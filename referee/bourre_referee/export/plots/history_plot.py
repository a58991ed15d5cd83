"""Chips over time: a panel for each bot, so that twenty of them can be read."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bourre_referee.export.plots.chip_history import Course
from bourre_referee.export.plots.plot_style import BLUE, GREY, PALE, chips_axis, picture, short
from bourre_referee.statistics.standing import Standings

MOST_WITH_OTHERS = 24
"""Bots, among which the others are drawn behind each."""


def course_picture(standings: Standings, courses: Sequence[Course], note: str) -> Figure:
    """Chips after each block, against the deals that the bot has played; best first. All panels have one scale."""
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


def _panel(axes: Axes, own: Course, all_courses: Sequence[Course]) -> None:
    for course in all_courses:
        if course is not own:
            axes.plot(course.deals, course.chips, color=PALE, linewidth=0.6)
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.plot(own.deals, own.chips, color=BLUE, linewidth=1.5)
    axes.tick_params(labelsize=7)
