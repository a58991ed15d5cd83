"""`bourre doctor`: tells whether this machine can play contests, and how well it isolates bots."""

from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.diagnostics.doctor.host_finding import HostReport


def doctor(
    attack: Annotated[
        bool, typer.Option("--attack", help="Play hostile bots against this machine instead, for at most ten minutes.")
    ] = False,
    image: Annotated[str | None, typer.Option(metavar="IMAGE", help="The container image for --attack.")] = None,
    db: Annotated[
        str | None, typer.Option(metavar="URL", help="Check this PostgreSQL database instead. Nothing is changed.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Find out what this machine can play, and fix what is missing.

    Checks the current folder as the place for results. With --attack it plays hostile bots, for at most ten minutes.
    With --db it checks a database as the place for contests and ladders.
    Exit code 1: no contest can be played at all, or an attack succeeded that the isolation should stop.
    """
    from pathlib import Path

    from bourre_referee.diagnostics.doctor.host_checks import examine
    from bourre_referee.diagnostics.doctor.host_finding import document, lines

    if attack and db:
        raise BadUsage("--attack and --db exclude each other.\nhint: run bourre doctor twice")
    if attack:
        raise typer.Exit(_attack(image, json))
    report = _examine_database(db) if db else examine(Path.cwd())
    print(document(report) if json else "\n".join(lines(report)))
    if not report.playable:
        raise typer.Exit(1)


def _examine_database(url: str) -> "HostReport":
    from bourre_referee.diagnostics.doctor.server_checks import examine_database

    return examine_database(url)


def _attack(image: str | None, json: bool) -> int:
    from bourre_referee.diagnostics.attacks.attack_report import document, is_sound, levels_here, lines
    from bourre_referee.diagnostics.attacks.trial import AttackTrial, try_all

    levels, absent = levels_here(image)
    done = list[AttackTrial]()
    try:
        for line in lines(try_all(levels), absent, done):
            if not json:
                print(line, flush=True)
    except KeyboardInterrupt:
        tell("Interrupted. Only the attacks above were tried.")
        return INTERRUPTED
    if json:
        print(document(done, absent))
    return 0 if is_sound(done) else 1
