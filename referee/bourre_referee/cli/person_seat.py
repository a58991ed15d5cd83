"""A person's seat: the game in the browser, or in the terminal, until the person leaves."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, TypeVar

import typer

from bourre_referee.cli.exit_codes import INTERRUPTED, tell

if TYPE_CHECKING:
    from bourre_seats.seat.sitting import Sitting

Result = TypeVar("Result")


def seat_person(sitting: Sitting, port: int | None, game: Coroutine[object, object, Result], *, opens: bool) -> Result:
    """Returns what the game does, in the browser, or without a port in the terminal. Exits if the person leaves."""
    import asyncio

    from bourre_referee.runner.interrupt import until_signal
    from bourre_seats.seat.person_seating import take_seat
    from bourre_seats.seat.terminal import Left

    try:
        return asyncio.run(until_signal(take_seat(sitting, port, game, opens=opens)))
    except (Left, KeyboardInterrupt, asyncio.CancelledError):
        tell("You have left the table. Nothing is kept.")
        raise typer.Exit(INTERRUPTED) from None
