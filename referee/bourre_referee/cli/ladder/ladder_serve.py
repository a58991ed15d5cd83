"""`bourre ladder serve`: plays a ladder for as long as it runs."""

from __future__ import annotations

import typer

from bourre_referee.cli.arguments import Jobs
from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath
from bourre_referee.runner.interrupt import Stop


def serve(folder: LadderPath, jobs: Jobs = None) -> None:
    """Serve a ladder: the door for remote bots, matchmaking, games and ratings. Ctrl-C ends it.

    After any end, the same command goes on: rooms that were being played are played again, with the same cards.
    """
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.host.serve_ladder import serve_ladder
    from bourre_referee.storage.process_pool import usable_cores

    def announce(address: str, notices: tuple[str, ...]) -> None:
        for notice in notices:
            tell(notice)
        tell(f"serving {folder}; remote bots connect to {address} (Ctrl-C ends it)")

    with Stop() as stop:
        try:
            serve_ladder(LadderFolder(folder), jobs or usable_cores(), stop, announce)
        except KeyboardInterrupt:
            tell("stopped; nothing is lost: the same command goes on")
            raise typer.Exit from None
