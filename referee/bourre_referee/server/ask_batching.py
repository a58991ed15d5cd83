"""When the asks of a room travel: together, once no bot is thinking, because then no more can become ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

MANY_TABLES = 16
"""With this many live tables, asks wait for others, so that several travel in one message (docs/speed.md)."""
LONGEST_SECONDS = 0.003
"""How long asks wait at most. No bot pays for it: an ask's time runs from when it is handed to the wire."""


class Gathering:
    """Shared by the streams of a room; whatever waits in it is released at once."""

    def __init__(self, is_thinking: Callable[[], bool]) -> None:
        """`is_thinking` returns whether any bot has still to answer what it was sent."""
        self._is_thinking = is_thinking
        self._released = asyncio.Event()
        self._released.set()

    def look(self) -> None:
        """Releases what waits if no bot is thinking; call it after each message of answers."""
        if not self._released.is_set() and not self._is_thinking():
            self._released.set()

    async def wait(self) -> None:
        """Waits until no bot is thinking, but not for long."""
        if not self._is_thinking():
            return
        self._released.clear()
        timer = asyncio.get_running_loop().call_later(LONGEST_SECONDS, self._released.set)
        try:
            await self._released.wait()
        finally:
            timer.cancel()
