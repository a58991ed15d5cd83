"""`bourre view`: shows a run in a browser, live while it plays."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import LogRequests, PublicUrl, RunArgument
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.web.owner_access import OwnerKeys


def view(
    where: RunArgument,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of the pages. 0.0.0.0 means all.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port. 0 means any free port.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name that browsers may use. Repeatable."),
    ] = None,
    owner_keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Print keys with which owners read their bots' output. FILE stores them."),
    ] = None,
    renew_key: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="With --owner-keys: make a new key for this bot. Repeatable."),
    ] = None,
    public_url: PublicUrl = None,
    log_requests: LogRequests = False,
) -> None:
    """Watch a contest in the browser.

    Shows standings, bots, matches, every deal on a card table, and an API for programs. The standings update while the
    contest plays. Only finished matches are shown. Ctrl-C ends it.
    """
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.web.cached_run import open_run
    from bourre_referee.web.run_app import create_application
    from bourre_referee.web.server import ServerLog, listener_url, open_listener, serve

    cached = open_run(where, open_result_cache(os.environ))
    bots = cached.current().data.bots
    keys = _open_keys(owner_keys, renew_key or (), bots)
    listener = open_listener(host, port)
    made = create_application(cached, [host, *(allow_host or ())], keys, public=public_url or "")
    at = listener_url(listener, host)
    tell(f"Serving {where} at {at} (Ctrl-C ends it)")
    if keys:
        _tell_keys(keys, bots, renew_key or (), f"{at}owner")
    try:
        serve(made.app, listener, made.end, ServerLog(requests=log_requests))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    tell("Stopped.")


def _open_keys(file: Path | None, renewed: Collection[str], bots: Sequence[str]) -> "OwnerKeys | None":
    """Returns the keys in this file; raises BadUsage if one is to be renewed that none of these bots has."""
    from bourre.rules.errors import unknown
    from bourre_referee.web.owner_access import OwnerKeys

    if renewed and file is None:
        raise BadUsage("--renew-key needs --owner-keys.\nhint: add --owner-keys FILE")
    for bot in renewed:
        if bot not in bots:
            raise BadUsage(f"--renew-key: {unknown('bot', bot, bots)}")
    return OwnerKeys.of_files(file, file.with_name(f"{file.name}.renewed")) if file else None


def _tell_keys(keys: "OwnerKeys", bots: Sequence[str], renewed: Collection[str], at: str) -> None:
    """Tells the key of each bot, with which its owner reads what it printed; anyone who has it can."""
    tell(f"Owners log in at {at}")
    for bot in bots:
        key = keys.renew(bot) if bot in renewed else keys.key(bot)
        tell(f"key of {bot}: {key or f'renewed, and shown then. --renew-key {quote(bot)} makes a new one'}")
