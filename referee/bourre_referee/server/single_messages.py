"""A connection that sends each ask in its own message, to measure the gain of batching."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from bourre.messages import Ask, Bundle
from bourre_referee.model.spec import Clock
from bourre_referee.server.bot_clock import Timekeeper
from bourre_referee.server.connection import Connection, Listener


class SingleMessages(Connection):
    """A connection with one ask per message, for `bench`."""

    def __init__(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        super().__init__(bot, room, limits, listener, timekeeper)
        self._held: deque[Ask] = deque()

    async def outgoing(self) -> Bundle:
        """Returns the next ask of those that were ready together, or waits for more."""
        if self._held:
            return Bundle(asks=[self._held.popleft()])
        bundle = await super().outgoing()
        self._held.extend(bundle.asks[1:])
        return replace(bundle, asks=bundle.asks[:1])

    async def gather(self) -> None:
        """Waits for no other asks, which need their own messages."""
