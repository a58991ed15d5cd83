"""How a command seats a person: the options of the page and the terminal, and how the person leaves."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bourre_referee.cli.exit_codes import INTERRUPTED, tell

if TYPE_CHECKING:
    from bourre_seats.seat.sitting import Sitting

InTerminal = Annotated[bool, typer.Option("--terminal", help="Stay in the terminal.")]
PagePort = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the page; 0 takes a free one.")
]
OpensBrowser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")]

Result = TypeVar("Result")


def seat_person(sitting: Sitting, port: int | None, game: Coroutine[object, object, Result], *, opens: bool) -> Result:
    """Return what the game does, shown in the browser, or without a port in the terminal; exit if the person leaves."""
    import asyncio

    from bourre_referee.runner.interrupt import until_signal
    from bourre_seats.seat.seating import take_seat
    from bourre_seats.seat.terminal import Left

    try:
        return asyncio.run(until_signal(take_seat(sitting, port, game, opens=opens)))
    except (Left, KeyboardInterrupt, asyncio.CancelledError):
        tell("You have left the table; nothing is kept.")
        raise typer.Exit(INTERRUPTED) from None
