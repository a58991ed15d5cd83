"""The commands of `bourre`, one file each; a command imports what it needs when it runs."""

from typing import Annotated

import typer

from bourre_referee.cli import course, rules
from bourre_referee.cli.benchmark import benchmark
from bourre_referee.cli.check import check
from bourre_referee.cli.command_group import BourreGroup, Command
from bourre_referee.cli.compare import compare
from bourre_referee.cli.copy import copy
from bourre_referee.cli.debug import debug
from bourre_referee.cli.doctor import doctor
from bourre_referee.cli.export import export
from bourre_referee.cli.grade import grade
from bourre_referee.cli.help_command import help_command
from bourre_referee.cli.ladder import ladder_commands
from bourre_referee.cli.new import new
from bourre_referee.cli.play import play
from bourre_referee.cli.practice import practice
from bourre_referee.cli.replay import replay
from bourre_referee.cli.review import review
from bourre_referee.cli.run import run
from bourre_referee.cli.standings import standings
from bourre_referee.cli.stats import stats
from bourre_referee.cli.tokens import tokens
from bourre_referee.cli.verify import annul, verify
from bourre_referee.cli.view import view

ALL_WORDS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""How a command takes all options for the program that it starts."""
app = typer.Typer(
    cls=BourreGroup,
    help="Tournaments for bots that play the card game Bourré.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    *(play, new, practice, check, compare, debug, review),
    *(run, standings, stats, replay, view, verify, annul, export, copy, tokens),
    *(grade, doctor),
):
    app.command(cls=Command)(command)
app.command("help", cls=Command)(help_command)
app.command(cls=Command, hidden=True, context_settings=ALL_WORDS)(benchmark)
app.add_typer(course.app, name="course")
app.add_typer(rules.app, name="rules")
app.add_typer(ladder_commands.app, name="ladder")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"bourre {version('bourre')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before a command."""
