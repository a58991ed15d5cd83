"""The plots of a contest: intervals, the cross table, and the history of chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan, nan, sqrt
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.colors import SymLogNorm, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.export.plots.plot_style import (
    ASTRONOMICAL,
    BLUE,
    GREY,
    ORANGE,
    PALE,
    chips_axis,
    chips_formatter,
    clip_chips,
    empty_figure,
    rank_text,
    save,
    short_name,
    signed_chips,
    use_style,
)
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Estimate, blocks_of
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.storage.files.atomic import new_folder
from bourre_referee.storage.run.run import Run
from bourre_referee.text.amounts import in_chips

OFFSET = 0.17
"""The distance of a bot's two estimates from its line."""


def chips_figure(standings: Standings, note: str) -> Figure:
    """Draws chips per 100 deals with their 95 % intervals, in format `duplicate` also luck-adjusted."""
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
    """Draws mu and score. Sigma is not drawn as a bar, because it is not an interval."""
    warning = "Their distance is 3 sigma. It is not a confidence interval, because sigma does not measure luck."
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
    """Draws a mark for each bot except no-shows, and a bar if there is an interval."""
    marks = [(clip_chips(centre), line + offset) for line, (centre, _) in enumerate(estimates) if centre is not None]
    axes.plot(*([place[axis] for place in marks] for axis in (0, 1)), mark, color=colour, markersize=5, label=label)
    bars = [
        (line + offset, clip_chips(ends[0]), clip_chips(ends[1])) for line, (_, ends) in enumerate(estimates) if ends
    ]
    if bars:
        at, low, high = zip(*bars, strict=True)
        axes.hlines(at, low, high, color=colour, linewidth=1.6)


MAX_BOTS_WITH_NUMBERS = 24
"""With more bots than this, the cells have no room for readable numbers."""

BOLD = "Bold: the 95 % interval of this pair alone excludes 0, which happens by chance in one cell of 20."

COLOURS = "orange: the row's bot loses, violet: it wins"


def cross_figure(standings: Standings, note: str) -> Figure:
    """Draws the difference of every two bots in chips per 100 deals. It is bold if its own interval excludes 0."""
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
    """Returns the cell's value. NaN if the two bots never met."""
    return clip_chips(cell.chips_per_100) if cell and cell.deals else nan


def _color_scale(largest: float) -> TwoSlopeNorm | SymLogNorm:
    """Returns a symmetric scale. It is logarithmic if pots without a limit made chips astronomical."""
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
    """Returns whether white is more readable than black on this colour (relative luminance, WCAG 2)."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179


@dataclass(frozen=True, slots=True)
class ChipHistory:
    """A bot's chips after each of its blocks, in schedule order, from the start."""

    bot: str
    deals: tuple[int, ...]
    """The number of deals so far."""
    chips: tuple[float, ...]
    """Chips won or lost so far."""


def chip_histories(results: Sequence[MatchResult], bots: Sequence[str], points: int) -> list[ChipHistory]:
    """Returns the chip history of each of these bots, thinned to about `points` points, including the last one."""
    steps: dict[str, list[tuple[int, float]]] = {bot: [] for bot in bots}
    sums = dict.fromkeys(bots, (0, 0))
    for match in results:
        for number, seat in enumerate(match.seats):
            if seat.bot not in sums:
                continue
            deals, parts = sums[seat.bot]
            for block in blocks_of(match, number):
                deals, parts = deals + block.deals, parts + block.chips
                steps[seat.bot].append((deals, clip_chips(in_chips(parts, match.unit))))
            sums[seat.bot] = deals, parts
    return [_thin(bot, steps[bot], points) for bot in bots]


def _thin(bot: str, steps: Sequence[tuple[int, float]], points: int) -> ChipHistory:
    stride = max(1, -(-len(steps) // points))
    thinned = [(0, 0.0), *steps[stride - 1 :: stride]]
    if steps and thinned[-1] != steps[-1]:
        thinned.append(steps[-1])
    return ChipHistory(bot, tuple(deals for deals, _ in thinned), tuple(chips for _, chips in thinned))


MAX_BOTS_WITH_OTHERS = 24
"""With more bots than this, the panel of a bot does not show the others."""


def chip_history_figure(standings: Standings, histories: Sequence[ChipHistory], note: str) -> Figure:
    """Draws chips after each block over the deals played, best bot first, all panels on one scale."""
    columns = max(1, ceil(sqrt(len(histories))))
    rows = max(1, ceil(len(histories) / columns))
    behind = "Pale: the other bots.\n" if len(histories) <= MAX_BOTS_WITH_OTHERS else ""
    title = f"{short_name(standings.contest)}: chips won, by deals played"
    figure = empty_figure(max(7.0, 2.3 * columns), 1.2 + 1.7 * rows, title, f"{behind}{note}")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flatten().tolist()
    for number, axes in enumerate(grid):
        if number < len(histories):
            _panel(axes, histories[number], histories if behind else ())
            axes.set_title(f"{number + 1}  {short_name(histories[number].bot)}", fontsize=9)
        else:
            axes.set_visible(False)
    chips_axis(grid[0].yaxis, [chips for history in histories for chips in history.chips])
    return figure


def _panel(axes: Axes, own: ChipHistory, all_histories: Sequence[ChipHistory]) -> None:
    for history in all_histories:
        if history is not own:
            axes.plot(history.deals, history.chips, color=PALE, linewidth=0.6)
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.plot(own.deals, own.chips, color=BLUE, linewidth=1.5)
    axes.tick_params(labelsize=7)


POINTS = 120
"""How many points a line has, which is more than a panel can show."""


def draw(run: Run, out: Path) -> None:
    """Writes `chips`, `rating`, `cross` and `course`, each as SVG and PNG.

    Raises ContestError if the folder is not new or cannot be written, or the run is damaged.
    """
    results = run.results()
    standings = standings_of(run, results)
    note = plot_note(standings, results)
    with new_folder(out) as folder, use_style():
        save(chips_figure(standings, note), folder / "chips")
        save(rating_figure(standings, note), folder / "rating")
        save(cross_figure(standings, note), folder / "cross")
        bots = [row.bot for row in standings.ranked]
        save(chip_history_figure(standings, chip_histories(results, bots, POINTS), note), folder / "course")


def plot_note(standings: Standings, results: list[MatchResult]) -> str:
    """Describes the data of the plots."""
    playings = sum(match.playings for match in results)
    unit = "a deal in all its seatings" if standings.format == "duplicate" else "a match"
    text = f"{standings.matches} matches of format {standings.format}, {playings} deals, unit of intervals: {unit}"
    return f"{text}, digest {standings.digest[:12]}" if standings.digest else f"{text}, not finished"
