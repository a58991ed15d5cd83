"""`bourre replay`: the deals of a stored match as readable text."""

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.completion import matches
from bourre_referee.cli.ending import BadUsage
from bourre_referee.cli.match import match_named


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")],
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, as m0001 or 1.", autocompletion=matches)],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, from 1.")] = None,
) -> None:
    """Print the deals of a match in words, in colours on a terminal.

    Hands, declarations, draws, the tricks by seat, every renege with its rule and what was legal, the settlement.
    """
    from rich.console import Console

    from bourre.record import read
    from bourre.record import replay as steps_of
    from bourre_referee.cli.colours import THEME, coloured
    from bourre_referee.contest.folder import RunFolder
    from bourre_referee.telling.match import match_lines

    record = read(RunFolder.open(folder).record(match_named(match)))
    header = record.header
    if deal and deal > header.deals:
        raise BadUsage(f"match {header.match} has deals 1 to {header.deals}, not {deal}")
    console = Console(theme=THEME)
    events = chain.from_iterable(step.events for step in steps_of(record))
    for line in match_lines(events, header.bots, header.deals, header.house, deal):
        console.print(coloured(line), soft_wrap=True)
