"""`bourre doctor`: tells whether this machine can play contests, and how well it isolates bots."""

import typer

from bourre_referee.cli.arguments import AsJson


def doctor(json: AsJson = False) -> None:
    """Try everything that a contest needs on this machine, and say how to fix what is missing.

    Checks the current folder as the place for runs. Exit code 1: no contest can be played at all.
    """
    from pathlib import Path

    from bourre_referee.diagnostics.doctor.host_checks import examine
    from bourre_referee.diagnostics.doctor.host_finding import document, lines

    report = examine(Path.cwd())
    print(document(report) if json else "\n".join(lines(report)))
    if not report.playable:
        raise typer.Exit(1)
