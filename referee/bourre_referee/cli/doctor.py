"""`bourre doctor`: says whether this machine can play contests, and how well it keeps bots apart."""

import typer

from bourre_referee.cli.arguments import AsJson


def doctor(json: AsJson = False) -> None:
    """Try everything that a contest needs of this machine, and say how to mend what is absent.

    Runs would be kept in the current folder. Ends with exit code 1 when no contest can be played at all.
    """
    from pathlib import Path

    from bourre_referee.diagnostics.doctor.host_checks import examine
    from bourre_referee.diagnostics.doctor.host_finding import document, lines

    report = examine(Path.cwd())
    print(document(report) if json else "\n".join(lines(report)))
    if not report.playable:
        raise typer.Exit(1)
