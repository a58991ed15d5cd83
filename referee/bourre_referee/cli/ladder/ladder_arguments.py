"""The arguments that commands of a ladder share, and their shell completion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from typer import Context

from bourre.rules.errors import BourreError


def bots(context: Context, incomplete: str) -> Iterator[str]:
    """Completes a bot of the ladder given before it; offer none if that is no ladder."""
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    folder: Path | None = context.params.get("folder")
    if folder is None:
        return iter(())
    try:
        log = LadderFolder(folder).open_log()
        log.read()
    except BourreError:  # the command itself reports what is wrong
        return iter(())
    return (bot for bot, entrant in log.state.bots.items() if bot.startswith(incomplete) and not entrant.retired)


LadderPath = Annotated[Path, typer.Argument(metavar="LADDER", help="The folder of the ladder.")]
BotName = Annotated[str, typer.Argument(metavar="NAME", help="A bot of the ladder.", autocompletion=bots)]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="The reason, which everyone can read.")]
