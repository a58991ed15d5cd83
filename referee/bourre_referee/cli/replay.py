"""`bourre replay`: the deals of a stored match as readable text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.highlighter import RegexHighlighter
from rich.text import Text
from rich.theme import Theme

from bourre_referee.cli.arguments import RunPath, match_named, matches
from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre.record import Record


THEME = Theme(
    {
        "deal.heading": "bold",
        "deal.red": "red",
        "deal.black": "bold",
        "deal.led": "cyan",
        "deal.won": "bold green",
        "deal.wrong": "bold white on red",
        "deal.rule": "cyan",
        "deal.gain": "green",
        "deal.loss": "red",
    }
)


class _Deal(RegexHighlighter):
    """Finds cards, signs, rules and chips in the lines of a deal."""

    base_style = "deal."
    highlights = [  # noqa: RUF012  (as rich's own classes have it)
        r"(?P<heading>^Deal \d+ of \d+(, seating \d+ of \d+)?:|^match .*)",
        r"\b(?P<red>[2-9TJQKA][DH])\b",
        r"\b(?P<black>[2-9TJQKA][CS])\b",
        r"(?P<led>>)(?=[2-9TJQKA][CDHS])",
        r"(?<=[CDHS])(?P<won>\*)",
        r"(?<=[CDHS])(?P<wrong>\*?[!?])",
        r"(?P<rule>\bR\d\.\d\b)",
        r"(?P<gain>(?<= )\+\d+( \d+(?=/))?(/\d+)?)\b",
        r"(?P<loss>(?<= )-\d+( \d+(?=/))?(/\d+)?)\b",
    ]


_DEAL = _Deal()


def coloured(line: str) -> Text:
    """A line of a replay in the styles of THEME."""
    return _DEAL(Text(line))


def replay(
    folder: RunPath,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, as m0001 or 1.", autocompletion=matches)],
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this deal, from 1.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page that shows it card by card, all in one file.")
    ] = None,
) -> None:
    """Print the deals of a match in words, in colours on a terminal.

    Hands, declarations, draws, the tricks by seat, every renege with its rule and what was legal, the settlement.
    """
    from bourre.record import read
    from bourre_referee.storage.run_folder import RunFolder

    record = read(RunFolder.open(folder).record(match_named(match)))
    header = record.header
    if deal and deal > header.deals:
        raise BadUsage(f"match {header.match} has deals 1 to {header.deals}, not {deal}")
    if html is None:
        _print(record, deal)
    else:
        _write(record, deal, html)


def _print(record: Record, deal: int | None) -> None:
    from rich.console import Console

    from bourre_referee.cli.replay import THEME, coloured
    from bourre_referee.text.narration.deal_text import match_lines

    console = Console(theme=THEME)
    for line in match_lines(record, deal):
        console.print(coloured(line), soft_wrap=True)


def _write(record: Record, deal: int | None, file: Path) -> None:
    from bourre_referee.storage.atomic import write
    from bourre_referee.web.viewer import standalone

    if file.is_dir() or not file.parent.is_dir():
        why = "that is a folder; name a file in it" if file.is_dir() else f"there is no folder {file.parent}"
        raise BadUsage(f"--html {file}: {why}")
    write(file, standalone(record, deal))
    tell(f"written to {file}: open it in a browser")
