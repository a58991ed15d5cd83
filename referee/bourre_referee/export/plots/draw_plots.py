"""Draw all plots of a run into a new folder, which appears complete or not at all."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.export.plots.chip_history_plot import course_picture, courses
from bourre_referee.export.plots.cross_plot import cross_picture
from bourre_referee.export.plots.interval_plot import chips_picture, rating_picture
from bourre_referee.export.plots.plot_style import save, styled
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.atomic import new_folder
from bourre_referee.storage.run_folder import RunFolder

POINTS = 120
"""Points of a line; more than a panel has room for."""


def draw(run: RunFolder, out: Path) -> None:
    """Write `chips`, `rating`, `cross` and `course`, each as SVG and PNG.

    Raises ContestError if the folder is not new or cannot be written, or the run is damaged.
    """
    standings, results = run.standings(), run.results()
    note = note_of(standings, results)
    with new_folder(out) as folder, styled():
        save(chips_picture(standings, note), folder / "chips")
        save(rating_picture(standings, note), folder / "rating")
        save(cross_picture(standings, note), folder / "cross")
        bots = [row.bot for row in standings.rows]
        save(course_picture(standings, courses(results, bots, POINTS), note), folder / "course")


def note_of(standings: Standings, results: list[MatchResult]) -> str:
    """Say what the plots show."""
    playings = sum(match.playings for match in results)
    unit = "a deal in all its seatings" if standings.format == "duplicate" else "a match"
    told = (
        f"{standings.matches} matches of format {standings.format}, {playings} deals; the unit of intervals is {unit}"
    )
    return f"{told}; digest {standings.digest[:12]}" if standings.digest else f"{told}; not finished"
