"""The commands of `bourre`, one file each; a command imports what it needs when it runs."""

from typing import Annotated

import typer

from bourre_referee.cli import rules
from bourre_referee.cli.bench import bench
from bourre_referee.cli.check import check
from bourre_referee.cli.compare import compare
from bourre_referee.cli.doctor import doctor
from bourre_referee.cli.export import export, import_run, plot
from bourre_referee.cli.grade import grade
from bourre_referee.cli.invite import invite
from bourre_referee.cli.ladder import ladder_app
from bourre_referee.cli.new import new
from bourre_referee.cli.play import play, puzzle
from bourre_referee.cli.practice import practice
from bourre_referee.cli.replay import replay
from bourre_referee.cli.repro import repro
from bourre_referee.cli.review import review
from bourre_referee.cli.run import run, schedule
from bourre_referee.cli.serve import serve
from bourre_referee.cli.standings import standings
from bourre_referee.cli.stats import rate, stats
from bourre_referee.cli.verify import verify, void

ALL_WORDS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""How a command takes all options for the program that it starts."""
app = typer.Typer(
    help="Contests between bots of the card game Bourré.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(run)
app.command()(invite)
app.command()(standings)
app.command()(stats)
app.command()(rate)
app.command()(replay)
app.command()(new)
app.command()(practice)
app.command()(play)
app.command()(repro)
app.command()(review)
app.command()(puzzle)
app.command()(check)
app.command()(compare)
app.command()(grade)
app.command()(verify)
app.command()(void)
app.command()(export)
app.command("import")(import_run)
app.command()(plot)
app.command()(schedule)
app.command()(serve)
app.command()(doctor)
app.command(context_settings=ALL_WORDS)(bench)
app.add_typer(rules.app, name="rules")
app.add_typer(ladder_app.app, name="ladder")


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
