"""Plot the chips of each bot over its deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bourre_referee.export.plots.plot_style import BLUE, GREY, PALE, chips_axis, clip_chips, empty_figure, short_name
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


def chip_histories(results: Sequence[MatchResult], bots: Sequence[str], points: int) -> list[ChipHistory]:
    """Return the chip history of each of these bots, thinned to about `points` points, the last one included."""
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
    """Draw chips after each block over the deals played; best bot first, all panels on one scale."""
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
