"""The commands of `bourre`, one file each; a command imports what it needs when it runs."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from bourre_referee.cli.command_group import BourreGroup, Command

HOMES = {
    "play": "bourre_referee.cli.play",
    "new": "bourre_referee.cli.new",
    "practice": "bourre_referee.cli.practice",
    "check": "bourre_referee.cli.check",
    "compare": "bourre_referee.cli.compare",
    "debug": "bourre_referee.cli.debug",
    "review": "bourre_referee.cli.review",
    "exploit": "bourre_referee.cli.exploit",
    "run": "bourre_referee.cli.run",
    "standings": "bourre_referee.cli.standings",
    "stats": "bourre_referee.cli.stats",
    "replay": "bourre_referee.cli.replay",
    "view": "bourre_referee.cli.view",
    "verify": "bourre_referee.cli.verify",
    "annul": "bourre_referee.cli.verify",
    "export": "bourre_referee.cli.export",
    "copy": "bourre_referee.cli.copy",
    "tokens": "bourre_referee.cli.tokens",
    "grade": "bourre_referee.cli.grade",
    "doctor": "bourre_referee.cli.doctor",
    "help_command": "bourre_referee.cli.help_command",
    "benchmark": "bourre_referee.cli.benchmark",
}
"""The function of each command, and its module."""

GROUPS = {
    "course": "bourre_referee.cli.course",
    "rules": "bourre_referee.cli.rules",
    "ladder": "bourre_referee.cli.ladder.ladder_commands",
}
"""The name of each group of commands, and its module."""

ALL_WORDS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""How a command takes all options for the program that it starts."""


def bourre_commands(words: Sequence[str] = ()) -> typer.Typer:
    """Returns `bourre` with the commands that these words of a command line need; without any, with all.

    Loading all of them takes longer than many a command.
    """
    app = typer.Typer(
        cls=BourreGroup,
        help="Tournaments for bots that play the card game Bourré.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    needed = _needed(words)
    for name in (name for name in HOMES if name in needed):
        command = getattr(import_module(HOMES[name]), name)
        if name == "benchmark":
            app.command(cls=Command, hidden=True, context_settings=ALL_WORDS)(command)
        else:
            app.command(name.removesuffix("_command"), cls=Command)(command)
    for name in (name for name in GROUPS if name in needed):
        app.add_typer(import_module(GROUPS[name]).app, name=name)
    return app


def _needed(words: Sequence[str]) -> frozenset[str]:
    known = frozenset((*HOMES, *GROUPS))
    if words and words[0] in known:
        return frozenset(words[:1])
    return known


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"bourre {version('bourre')}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before a command."""
