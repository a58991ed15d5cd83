"""The commands of `bourre ladder`."""

import typer

from bourre_referee.cli.command_group import Command, LadderGroup
from bourre_referee.cli.ladder.ladder_backups import backup, restore
from bourre_referee.cli.ladder.ladder_bots import (
    add,
    annul,
    freeze,
    key,
    pause,
    reinstate,
    resume,
    retire,
    season,
    suspend,
    token,
)
from bourre_referee.cli.ladder.ladder_notify import notify
from bourre_referee.cli.ladder.ladder_start import start
from bourre_referee.cli.ladder.ladder_views import copies, init, log, status, verify

app = typer.Typer(
    cls=LadderGroup, subcommand_metavar="COMMAND ...", help="Host a ladder that never ends.", no_args_is_help=True
)
for command in (
    *(init, start, status, log, verify, backup, restore),
    *(add, token, key, notify, pause, resume, retire, suspend, reinstate, copies),
    *(season, freeze, annul),
):
    app.command(cls=Command)(command)
