"""Draw all plots of a run into a new folder, which appears complete or not at all."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.export.plots.contest_plots import (
    chip_histories,
    chip_history_figure,
    chips_figure,
    cross_figure,
    rating_figure,
)
from bourre_referee.export.plots.plot_style import save, use_style
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.atomic import new_folder
from bourre_referee.storage.run import Run

POINTS = 120
"""How many points a line has: more than a panel can show."""


def draw(run: Run, out: Path) -> None:
    """Write `chips`, `rating`, `cross` and `course`, each as SVG and PNG.

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
    """Say what the plots show."""
    playings = sum(match.playings for match in results)
    unit = "a deal in all its seatings" if standings.format == "duplicate" else "a match"
    text = (
        f"{standings.matches} matches of format {standings.format}, {playings} deals; the unit of intervals is {unit}"
    )
    return f"{text}; digest {standings.digest[:12]}" if standings.digest else f"{text}; not finished"
