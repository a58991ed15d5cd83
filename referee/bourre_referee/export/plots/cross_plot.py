"""Plot the cross-table as a heat map."""

from __future__ import annotations

from math import isnan, nan

from matplotlib.axes import Axes
from matplotlib.colors import SymLogNorm, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from bourre_referee.export.plots.plot_style import (
    ASTRONOMICAL,
    PALE,
    chips_formatter,
    clip_chips,
    empty_figure,
    rank_text,
    short_name,
    signed_chips,
)
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.standing import Standings

MAX_BOTS_WITH_NUMBERS = 24
"""With more bots than this, the cells have no room for readable numbers."""

BOLD = "Bold: the 95 % interval of this pair alone excludes 0, as happens by chance in one cell of 20."

COLOURS = "orange: the row's bot loses; violet: it wins"


def cross_figure(standings: Standings, note: str) -> Figure:
    """Draw every two bots' difference in chips per 100 deals; bold if its own interval excludes 0."""
    size = len(standings.rows)
    numbers = size <= MAX_BOTS_WITH_NUMBERS
    reading = f"{BOLD} " if numbers else ""
    side = max(4.0, (0.42 if numbers else 0.2) * size)
    title = f"{short_name(standings.contest)}: difference in chips per 100 deals, row against column"
    figure = empty_figure(side + 2.8, side + 1.6, title, f"{reading}Grey: never at one table.\n{note}")
    axes = figure.subplots()
    values = [[_value(cell) for cell in line] for line in standings.cross]
    largest = max((abs(value) for line in values for value in line if not isnan(value)), default=0.0)
    axes.set_facecolor(PALE)
    image = axes.imshow(values, cmap="PuOr", norm=_color_scale(largest))
    figure.colorbar(image, ax=axes, shrink=0.7, format=chips_formatter(), label=COLOURS)
    _label_bots(axes, standings)
    if numbers:
        _write_numbers(axes, standings, image)
    return figure


def _value(cell: Estimate | None) -> float:
    """Return the cell's value; NaN if the two bots never met."""
    return clip_chips(cell.chips_per_100) if cell and cell.deals else nan


def _color_scale(largest: float) -> TwoSlopeNorm | SymLogNorm:
    """Return a symmetric scale; logarithmic if pots without a limit made chips astronomical."""
    if largest >= ASTRONOMICAL:
        return SymLogNorm(1, vmin=-largest, vmax=largest)
    return TwoSlopeNorm(0, vmin=-(largest or 1), vmax=largest or 1)


def _label_bots(axes: Axes, standings: Standings) -> None:
    ranks = [rank_text(row) for row in standings.rows]
    axes.set_xticks(range(len(ranks)), ranks)
    axes.set_yticks(range(len(ranks)), [f"{short_name(row.bot)}  {rank_text(row)}" for row in standings.rows])
    axes.tick_params(length=0, labelsize=9 if len(ranks) <= MAX_BOTS_WITH_NUMBERS else 6)
    axes.xaxis.tick_top()
    axes.spines[:].set_visible(False)


def _write_numbers(axes: Axes, standings: Standings, image: AxesImage) -> None:
    values = image.get_array()
    assert values is not None
    colours = image.to_rgba(values)
    for y, line in enumerate(standings.cross):
        for x, cell in enumerate(line):
            if cell is None or not cell.deals:
                continue
            text = signed_chips(cell.chips_per_100)
            weight = "normal" if cell.ci95 is None or cell.ci95[0] <= 0 <= cell.ci95[1] else "bold"
            colour = "white" if is_dark(*colours[y, x][:3]) else "black"
            axes.text(x, y, text, ha="center", va="center", fontsize=7, color=colour, fontweight=weight)


def is_dark(*colour: float) -> bool:
    """Tell whether white is more readable than black on this colour (relative luminance, WCAG 2)."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179
