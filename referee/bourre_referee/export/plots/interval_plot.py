"""Plot a line for each bot, best on top: chips per 100 deals, and ratings."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bourre_referee.export.plots.plot_style import (
    BLUE,
    GREY,
    ORANGE,
    PALE,
    chips_axis,
    clip_chips,
    empty_figure,
    rank_text,
    short_name,
)
from bourre_referee.statistics.standing import Standing, Standings

OFFSET = 0.17
"""How far above and below a bot's line its two estimates are drawn."""


def chips_figure(standings: Standings, note: str) -> Figure:
    """Draw chips per 100 deals with their 95 % intervals; in format `duplicate` also luck-adjusted."""
    figure, axes = _bot_lines(standings, "chips per 100 deals, with 95 % intervals", note)
    adjusted = [(row.adjusted_per_100, row.adjusted_ci95) for row in standings.rows]
    both = bool(standings.ranked) and all(row.adjusted_per_100 is not None for row in standings.ranked)
    raw = [(row.chips_per_100, row.ci95) for row in standings.rows]
    _draw_estimates(axes, raw, -OFFSET * both, "s", ORANGE if both else BLUE, "raw")
    if both:
        _draw_estimates(axes, adjusted, OFFSET, "o", BLUE, "less the luck of the draw")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("chips per 100 deals")
    chips_axis(axes.xaxis, [end for centre, ends in raw if centre is not None for end in (centre, *(ends or ()))])
    return figure


def rating_figure(standings: Standings, note: str) -> Figure:
    """Draw mu and score; sigma is not drawn as a bar, because it is not an interval."""
    warning = "Their distance is 3 sigma, which is not a confidence interval: it does not measure luck."
    figure, axes = _bot_lines(standings, "TrueSkill ratings", f"{warning}\n{note}")
    lines = range(len(standings.ranked))
    axes.plot([row.mu or 0 for row in standings.ranked], lines, "o", color=BLUE, label="mu")
    scores = [row.score or 0 for row in standings.ranked]
    axes.plot(scores, lines, "<", color=ORANGE, label="score = mu \N{MINUS SIGN} 3 sigma, by which bots are ranked")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    axes.set_xlabel("skill")
    return figure


def _bot_lines(standings: Standings, subject: str, note: str) -> tuple[Figure, Axes]:
    rows: Sequence[Standing] = standings.rows
    figure = empty_figure(8, 1.6 + 0.32 * len(rows), f"{short_name(standings.contest)}: {subject}", note)
    axes = figure.subplots()
    axes.set_yticks(range(len(rows)), [f"{short_name(row.bot)}  {rank_text(row)}" for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.hlines(range(len(rows)), 0, 1, transform=axes.get_yaxis_transform(), color=PALE, linewidth=0.5, zorder=0)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _draw_estimates(
    axes: Axes,
    estimates: Sequence[tuple[float | None, tuple[float, float] | None]],
    offset: float,
    mark: str,
    colour: str,
    label: str,
) -> None:
    """Draw a mark for each bot but the no-shows, and a bar if there is an interval."""
    marks = [(clip_chips(centre), line + offset) for line, (centre, _) in enumerate(estimates) if centre is not None]
    axes.plot(*([place[axis] for place in marks] for axis in (0, 1)), mark, color=colour, markersize=5, label=label)
    bars = [
        (line + offset, clip_chips(ends[0]), clip_chips(ends[1])) for line, (_, ends) in enumerate(estimates) if ends
    ]
    if bars:
        at, low, high = zip(*bars, strict=True)
        axes.hlines(at, low, high, color=colour, linewidth=1.6)
