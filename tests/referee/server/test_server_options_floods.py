"""A flood stalls or is cut off, and leaves nothing behind in the referee."""

from __future__ import annotations

import asyncio

from bourre_referee.server.server_options import Options
from tests.referee.server.http2 import ACK, INITIAL_WINDOW, INITIAL_WINDOW_SIZE, Connection, Frame, Kind, connected
from tests.referee.server.listening_referee import OPTIONS, deaf, options, served

MOST = 16_384
"""Bytes in a frame of data."""


class Flood:
    """Sends as much as the referee grants, in one call, and counts it."""

    def __init__(self, connection: Connection) -> None:
        self.sent = 0
        self._connection = connection
        self._of_stream = self._of_connection = self._initial = INITIAL_WINDOW

    async def stalled(self) -> int:
        """Sends until nothing more is granted; the bytes that went out."""
        self._connection.greet()
        self._connection.call(1)
        granted = True
        while granted:
            self._fill()
            granted = await self._listen()
        return self.sent

    def _fill(self) -> None:
        while size := min(self._of_stream, self._of_connection, MOST):
            self._connection.send(Kind.DATA, 0, 1, bytes(size))
            self.sent += size
            self._of_stream -= size
            self._of_connection -= size

    async def _listen(self) -> bool:
        """Reads what the referee grants; returns whether it granted anything."""
        before = self._of_stream + self._of_connection
        for frame in await self._connection.frames_until_pong():
            if frame.kind == Kind.WINDOW_UPDATE and frame.stream:
                self._of_stream += frame.number
            elif frame.kind == Kind.WINDOW_UPDATE:
                self._of_connection += frame.number
            elif frame.kind == Kind.SETTINGS and not frame.flags:
                self._connection.send(Kind.SETTINGS, ACK)
                initial = frame.settings.get(INITIAL_WINDOW_SIZE, self._initial)
                self._of_stream, self._initial = self._of_stream + initial - self._initial, initial
        return self._of_stream + self._of_connection > before


async def bytes_taken(limits: Options) -> int:
    async with deaf(limits) as address, connected(address) as connection:
        return await Flood(connection).stalled()


def test_what_the_referee_does_not_read_stalls_after_64_kib() -> None:
    assert asyncio.run(bytes_taken(OPTIONS)) <= 64 * 1024
    assert asyncio.run(bytes_taken(options(http2_bdp_probe=None))) >= 4_000_000


def test_a_flood_of_pings_ends_the_connection() -> None:
    async def attack() -> list[Frame]:
        came: list[Frame] = []
        async with served() as address, connected(address) as connection:
            connection.greet()
            for number in range(100):  # one after another: unread frames may hide its last message
                came += await connection.frames_until_pong(number.to_bytes(8))
                if came[-1].kind != Kind.PING:
                    break
        return came

    last_words = [asyncio.run(attack())[-1].payload for _ in range(3)]  # who writes too often may miss them
    assert any(b"too_many_pings" in words for words in last_words)
