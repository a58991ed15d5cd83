"""`bourre help`: the page of all commands, or of one."""

from typing import Annotated

import typer

from bourre_referee.cli.command_group import BourreGroup
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.cli.help_pages import find_command


def help_command(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", show_default=False, help="A command, such as run.")
    ] = None,
) -> None:
    """Print all commands, or the help of one."""
    above = context.parent
    if above is None or not isinstance(above.command, BourreGroup):
        raise LookupError("the command help belongs to bourre")
    if not words:
        print(above.command.all_commands())
        return
    try:
        found = find_command(above.command, words)
    except KeyError:
        raise BadUsage(f"Unknown command {' '.join(words)!r}.\nhint: bourre help") from None
    print(found.get_help(typer.Context(found, above, " ".join(words))))
