"""`bourre stats`: how sure the standings are, what seats are worth, how bots play, and whose chips go to whom."""

from pathlib import Path
from typing import Annotated

import typer


def stats(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")],
    seed: Annotated[
        int, typer.Option(metavar="N", help="Of the resamples and permutations; the same seed, the same figures.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print what the results and records tell beyond the standings.

    The chance that each bot is above each other, rank intervals, tied groups, seats, reneges and faults, style of play,
    and a test for chips that flow to a friend. A run that is still going on is shown as far as it has come.
    """
    from rich.console import Console

    from bourre_referee.analysis.analysis import analysed
    from bourre_referee.analysis.document import document
    from bourre_referee.cli.analysis import print_analysis
    from bourre_referee.contest.folder import RunFolder

    run = RunFolder.open(folder)
    table = run.standings()
    analysis = analysed(table.rows, run.results(), run.kept(), seed)
    if json:
        print(document(table, analysis))
    else:
        print(f"{table.contest}: {table.matches} of {run.manifest.matches} matches of {run.manifest.terms.deals} deals")
        print_analysis(analysis, Console(highlight=False))
