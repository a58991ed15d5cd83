"""Seats a person while a game is played, in the terminal or with a page."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from bourre_seats.seat.browser import open_page
from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.terminal import Terminal, read_lines

LAST_LOOK_SECONDS = 10.0
"""How long the page has to fetch the end of the game."""

Result = TypeVar("Result")


async def take_seat(
    sitting: Sitting, port: int | None, game: Coroutine[object, object, Result], *, opens: bool = False
) -> Result:
    """Shows the seat until this game is over, and returns what the game does; without a port in the terminal.

    With `opens`, a browser opens the page. Raises what the game raises, Left, and OSError if the port is taken.
    """
    playing = asyncio.ensure_future(game)
    showing = asyncio.ensure_future(_show_page(sitting, port, opens) if port is not None else _show_here(sitting))
    try:
        await asyncio.wait({playing, showing}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            showing.result()
        elif sitting.over:
            await showing
        return await playing
    finally:
        showing.cancel()
        playing.cancel()
        await asyncio.wait({playing, showing})


async def _show_here(sitting: Sitting) -> None:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a key of another encoding is a wrong answer, no more
    await Terminal(sitting, read_lines(sys.stdin)).run()


async def _show_page(sitting: Sitting, port: int, opens: bool) -> None:
    """Serves the page until it has shown the end of the game, or nobody looks."""
    from bourre_seats.seat.page_server import PageServer

    server = PageServer(sitting)
    with (
        server.serve(port) as address,
        TemporaryDirectory(prefix="bourre-seat-") if opens else nullcontext() as folder,
    ):
        print(f"Your seat: {address}\nCtrl-C leaves the table.", file=sys.stderr, flush=True)
        if folder:
            await asyncio.to_thread(open_page, address, Path(folder))
        await sitting.ended.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_LOOK_SECONDS):
                await server.told_end.wait()
