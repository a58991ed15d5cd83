"""Seats a person for a game, in the terminal or with a page."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Coroutine, Sequence
from contextlib import nullcontext, suppress
from html import escape
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.terminal import Terminal, read_lines

LAST_LOOK_SECONDS = 10.0
"""The time for the page to fetch the end of the game."""

Result = TypeVar("Result")


async def take_seat(
    sitting: Sitting, ports: Sequence[int], game: Coroutine[object, object, Result], *, opens: bool = False
) -> Result:
    """Shows the seat until this game is over, and returns the game's result. Without ports, it uses the terminal.

    The page is at the first free port; 0 is any free one. With `opens`, a browser opens the page. Raises the game's
    errors, Left, and OSError if no port is free.
    """
    playing = asyncio.ensure_future(game)
    showing = asyncio.ensure_future(_show_page(sitting, ports, opens) if ports else _show_here(sitting))
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
        sys.stdin.reconfigure(errors="replace")  # a key of another encoding is only a wrong answer
    await Terminal(sitting, read_lines(sys.stdin)).run()


async def _show_page(sitting: Sitting, ports: Sequence[int], opens: bool) -> None:
    """Serves the page until it has shown the end of the game, or no page is open."""
    from bourre_seats.seat.page_server import PageServer

    server = PageServer(sitting)
    with (
        server.serve(*ports) as address,
        TemporaryDirectory(prefix="bourre-seat-") if opens else nullcontext() as folder,
    ):
        print(f"Your page: {address}\nCtrl-C leaves the table.", file=sys.stderr, flush=True)
        if folder:
            await asyncio.to_thread(open_page, address, Path(folder))
        await sitting.ended.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_LOOK_SECONDS):
                await server.told_end.wait()


_LEADING_ON = """\
<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Bourré</title>
<p><a href="{address}">Your page</a></p>
"""


def open_page(address: str, folder: Path) -> None:
    """Opens this address in the browser through a file in this folder, which only this user can read.

    Every user can read the command line of a browser, so it must not contain the address.
    """
    file = folder / "seat.html"
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(_LEADING_ON.format(address=escape(address)))
    webbrowser.open(file.absolute().as_uri())
