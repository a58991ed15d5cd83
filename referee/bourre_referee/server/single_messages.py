"""A connection that sends each ask by itself, to measure what batching asks gains."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from bourre.messages import Ask, Bundle
from bourre_referee.model.spec import Clock
from bourre_referee.server.bot_clock import Timekeeper
from bourre_referee.server.connection import Connection, Listener


class SingleMessages(Connection):
    """A connection with one ask per message, for the bench; otherwise it is unchanged."""

    def __init__(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        super().__init__(bot, room, limits, listener, timekeeper)
        self._held: deque[Ask] = deque()

    async def outgoing(self) -> Bundle:
        """Returns the next of the asks that were ready together, or waits as any connection does."""
        if self._held:
            return Bundle(asks=[self._held.popleft()])
        bundle = await super().outgoing()
        self._held.extend(bundle.asks[1:])
        return replace(bundle, asks=bundle.asks[:1])

    async def gather(self) -> None:
        """Waits for no other asks: they would not travel together."""
