"""`bourre plot`: draws pictures of a run."""

from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.arguments import RunArgument, beside
from bourre_referee.cli.exit_codes import tell


def plot(
    where: RunArgument,
    out: Annotated[Path | None, typer.Option(metavar="DIR", show_default="DIR-plots", help="A new folder.")] = None,
) -> None:
    """Draw a run, finished or not: chips with intervals, ratings, cross-table, chips over time.

    Each picture is written as SVG and PNG. Needs pip install 'bourre[export]'.
    """
    from bourre_referee.export.plots.contest_plots import draw
    from bourre_referee.storage.run import Run

    run = Run.open(where)
    place = out or beside(where, "plots")
    draw(run, place)
    tell(f"written to {place}: chips, rating, cross and course, each as .svg and .png")
