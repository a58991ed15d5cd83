"""The commands of `bourre ladder`."""

import typer

from bourre_referee.cli.ladder.ladder_bots import (
    add,
    bench,
    freeze,
    key,
    pause,
    reinstate,
    restore,
    resume,
    retire,
    season,
    token,
    void_match,
)
from bourre_referee.cli.ladder.ladder_serve import serve
from bourre_referee.cli.ladder.ladder_views import copies, log, new, status, verify

app = typer.Typer(help="A ladder: a board that is always on, where bots come and go.", no_args_is_help=True)
app.command()(new)
app.command()(serve)
app.command()(add)
app.command()(token)
app.command()(key)
app.command()(pause)
app.command()(resume)
app.command()(retire)
app.command()(bench)
app.command()(reinstate)
app.command()(freeze)
app.command()(season)
app.command()(restore)
app.command("void")(void_match)
app.command()(status)
app.command()(log)
app.command()(verify)
app.command()(copies)
