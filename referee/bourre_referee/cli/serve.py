"""`bourre serve`: shows a run in a browser, live while it plays."""

import os
from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.arguments import RunArgument
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell


def serve(
    where: RunArgument,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 means all.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0 means any free one.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name that browsers may use; may be given several times."),
    ] = None,
    owner_links: Annotated[
        bool, typer.Option("--owner-links", help="Print a link for each bot's owner to what the bot printed.")
    ] = False,
    owner_secret: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keeps owner links valid across restarts; made if missing.")
    ] = None,
) -> None:
    """Show a run in a browser: standings, bots, matches, every deal on a card table, and an API for programs.

    While the contest plays, the standings update by themselves. Only finished matches are shown. Ctrl-C ends it.
    """
    from bourre_referee.storage.kept_counts import open_counts_cache
    from bourre_referee.storage.kept_ratings import open_ratings_cache
    from bourre_referee.web.app import create_application
    from bourre_referee.web.cached_run import open_run
    from bourre_referee.web.owner_logs import owner_keys
    from bourre_referee.web.server import listener_url, open_listener, serve

    if owner_secret and not owner_links:
        raise BadUsage("--owner-secret is for --owner-links: give both")
    cached = open_run(where, open_ratings_cache(os.environ), open_counts_cache(os.environ))
    known = owner_keys(owner_secret) if owner_links else None
    listener = open_listener(host, port)
    made = create_application(cached, [host, *(allow_host or ())], known)
    at = listener_url(listener, host)
    tell(f"serving {where} at {at} (Ctrl-C ends it)")
    for bot, path in made.bots.links():
        tell(f"logs of {bot}: {at}{path.removeprefix('/')}")
    try:
        serve(made.app, listener, made.live.feed.end)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
