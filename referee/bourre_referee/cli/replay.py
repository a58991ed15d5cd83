"""`bourre replay`: prints the deals of a stored match as readable text."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import RunArgument, check_writable, matches, parse_match_id
from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre.record import Record
    from bourre_referee.model.seat_remarks import SeatRemarks
    from bourre_referee.storage.run.run import Run


def replay(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, such as m0001 or 1.", autocompletion=matches)],
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this deal, counted from 1.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page that shows it card by card, in a single file.")
    ] = None,
) -> None:
    """Show a match, deal by deal.

    Prints hands, declarations, draws, the tricks by seat, the settlement, every renege with its rule and the legal
    cards, and the bots' notes. A page has the notes once the seed is public.
    """
    from bourre.record import read
    from bourre_referee.storage.run.run import Run

    run, name = Run.open(where), parse_match_id(match)
    record = read(run.record(name))
    header = record.header
    if deal and deal > header.deals:
        raise BadUsage(f"Match {header.match} has no deal {deal}.\nhint: use --deal 1 to {header.deals}")
    if html is None:
        _print(record, run.remarks(name), deal)
    else:
        _write(record, run, deal, html)


def _print(record: Record, remarks: tuple[SeatRemarks, ...], deal: int | None) -> None:
    from rich.console import Console

    from bourre.words.table_words import writer_for
    from bourre_referee.cli.replay_colours import THEME, highlight
    from bourre_referee.text.narration.deal_text import match_lines
    from bourre_referee.text.narration.spoken_notes import closing_lines, spoken_notes

    console = Console(theme=THEME)
    lines = match_lines(record, deal, spoken_notes(record, remarks), writer_for(sys.stdout))
    for line in chain(lines, closing_lines(record, remarks)):
        console.print(highlight(line), soft_wrap=True)


def _write(record: Record, run: Run, deal: int | None, file: Path) -> None:
    """Writes a page, which may go anywhere: with the bots' notes only if everyone may read them."""
    from bourre_referee.storage.files.atomic import write
    from bourre_referee.web.viewer import render_standalone

    check_writable("--html", file)
    write(file, render_standalone(record, deal, run.published_remarks(record.header.match)))
    tell(f"Written to {file}. Open it in a browser.")
