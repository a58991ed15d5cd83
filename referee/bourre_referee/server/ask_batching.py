"""Sends the asks of a room together once no bot is thinking: until then, more asks can become ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

MANY_TABLES = 16
"""With this many live tables, asks wait, so that one message contains several (research/speed.md)."""
LONGEST_SECONDS = 0.002
"""The longest wait of an ask. No bot is charged for it, because its time runs from the send."""


class AskBatching:
    """Holds back the asks of a room's streams, and releases them together."""

    def __init__(self, is_thinking: Callable[[], bool]) -> None:
        """`is_thinking` returns whether any bot has an unanswered ask."""
        self._is_thinking = is_thinking
        self._released = asyncio.Event()
        self._released.set()

    def look(self) -> None:
        """Releases the waiting asks if no bot is thinking. Call it after each message of answers."""
        if not self._released.is_set() and not self._is_thinking():
            self._released.set()

    async def wait(self) -> None:
        """Waits until no bot is thinking, at most LONGEST_SECONDS."""
        if not self._is_thinking():
            return
        self._released.clear()
        timer = asyncio.get_running_loop().call_later(LONGEST_SECONDS, self._released.set)
        try:
            await self._released.wait()
        finally:
            timer.cancel()
