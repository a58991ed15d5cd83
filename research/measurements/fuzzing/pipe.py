"""A stream between a bot and the referee's service, without gRPC."""

from __future__ import annotations

import asyncio
from typing import NoReturn

import grpc

from bourre.v1.referee_pb2 import BotMessage, RefereeMessage

ON_THE_WAY = 2
"""Messages that a pipe holds unread before a write blocks, as gRPC's does."""


class Aborted(Exception):
    """The referee ended the call with an error."""


class Pipe:
    """The context of a call as the service sees it, and the bot's end of it."""

    def __init__(self) -> None:
        self._to_referee: asyncio.Queue[BotMessage | None] = asyncio.Queue()
        self._to_bot: asyncio.Queue[RefereeMessage | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(ON_THE_WAY)

    async def read(self) -> BotMessage | None:
        """For the service: the next message, or None, like gRPC's EOF, at the end."""
        return await self._to_referee.get()

    async def write(self, message: RefereeMessage) -> None:
        """For the service: waits while the bot does not read."""
        await self._places.acquire()
        self._to_bot.put_nowait(message)

    def peer(self) -> str:
        """For the service: a peer unknown to the gate."""
        return "pipe"

    async def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """For the service: ends the call with an error."""
        raise Aborted(f"{code}: {details}")

    def say(self, message: BotMessage) -> None:
        """For the bot: never waits."""
        self._to_referee.put_nowait(message)

    def say_no_more(self) -> None:
        """For the bot: closes its half of the stream."""
        self._to_referee.put_nowait(None)

    async def hear(self) -> RefereeMessage | None:
        """For the bot: the next message, or None if the call has ended."""
        message = await self._to_bot.get()
        self._places.release()
        return message

    def end(self) -> None:
        """The service is done with the call."""
        self._to_bot.put_nowait(None)
