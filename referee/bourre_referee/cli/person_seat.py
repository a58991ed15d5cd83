"""A person's seat: the game in the browser, or in the terminal, until the person leaves."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING

import typer

from bourre_referee.cli.exit_codes import INTERRUPTED, tell

if TYPE_CHECKING:
    from bourre_seats.seat.sitting import Sitting


def seat_person(sitting: Sitting, ports: Sequence[int], game: Coroutine[object, object, None], *, opens: bool) -> None:
    """Runs the games in the browser, or without ports in the terminal. Exits if the person leaves within the first."""
    import asyncio

    from bourre_referee.runner.interrupt import until_signal
    from bourre_seats.seat.person_seating import take_seat
    from bourre_seats.seat.terminal import Left

    try:
        asyncio.run(until_signal(take_seat(sitting, ports, game, opens=opens)))
    except (Left, KeyboardInterrupt, asyncio.CancelledError):
        if sitting.interlude.count:
            return
        tell("You have left the table. Nothing is kept.")
        raise typer.Exit(INTERRUPTED) from None
