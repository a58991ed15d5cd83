"""Seats a person while a game is played, in the terminal or with a page."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import TypeVar

from bourre.seat.sitting import Sitting
from bourre.seat.terminal import Terminal, read_lines

Result = TypeVar("Result")


async def take_seat(
    sitting: Sitting, port: int | None, game: Coroutine[object, object, Result], *, opens: bool = False
) -> Result:
    """Shows the seat until this game is over, and returns what the game does; without a port in the terminal.

    With `opens`, a browser opens the page. Raises what the game raises, or Left.
    """
    playing = asyncio.ensure_future(game)
    showing = asyncio.ensure_future(Terminal(sitting, read_lines(sys.stdin)).run())
    try:
        await asyncio.wait({playing, showing}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            await showing
        else:
            showing.result()
        return await playing
    finally:
        showing.cancel()
        playing.cancel()
        await asyncio.wait({playing, showing})
