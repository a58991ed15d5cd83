"""`python3 dev.py bench`: measures how fast this machine plays, with baselines."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench import extent, measure
from bench.regression import Ratios, ratios_in, regressions
from bench.report import Report, document, lines
from bourre.connection.standard_streams import prepare_streams
from bourre_referee.cli import run_app
from bourre_referee.cli.arguments import AsJson
from bourre_referee.cli.exit_codes import FAILED_CHECK, INTERRUPTED, tell

PAIRS = 8
FEW = 2


def bench(
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, show_default=f"{PAIRS}, with --quick {FEW}", help="How often everything is measured."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Play less, for a first look.")] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="An earlier --json output; exit code 3 if a ratio fell by more than a tenth."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measures the referee, the rules, practice and a whole contest on this machine, which takes a few minutes.

    Compared measurements, such as a bare echo and a real room, take turns. Figures are medians,
    and ratios medians of pairs. Everything is played in temporary folders, and nothing is kept.
    """
    before = ratios_in(against) if against else None
    played = extent.quick_extent(pairs or FEW) if quick else extent.full_extent(pairs or PAIRS)
    try:
        with _progress(played.pairs) as hear:
            report = measure.measure(played, hear)
    except KeyboardInterrupt:
        tell("interrupted: nothing is kept")
        raise typer.Exit(INTERRUPTED) from None
    print(document(report) if json else "\n".join(lines(report)))
    if before is not None:
        _compare(before, report)


@contextmanager
def _progress(pairs: int) -> Iterator[measure.Announce]:
    """Shows the current measurement on stderr. Without a terminal, prints a line for each pair."""
    console = Console(stderr=True)
    if not console.is_terminal:
        announced: set[int] = set()
        yield lambda pair, doing: _tell_pair(pair, pairs, announced)
        return
    with console.status("bench") as status:
        yield lambda pair, doing: status.update(f"{pair} of {pairs}: {doing}")


def _tell_pair(pair: int, pairs: int, announced: set[int]) -> None:
    if pair not in announced:
        announced.add(pair)
        tell(f"measuring, {pair} of {pairs}")


def _compare(before: Ratios, report: Report) -> None:
    fell = regressions(before, report)
    for fall in fell:
        tell(str(fall))
    if fell:
        raise typer.Exit(FAILED_CHECK)
    tell("no ratio fell by more than a tenth")


def main() -> None:
    """Runs the command and ends the process."""
    prepare_streams()
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(bench)
    run_app(app, "dev.py bench")


if __name__ == "__main__":
    main()
