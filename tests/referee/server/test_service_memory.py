"""Calls that are opened and cancelled leave nothing in the referee."""

from __future__ import annotations

import asyncio
import gc

from bourre.v1.referee_pb2 import BotMessage, Hello
from tests.referee.server.http2 import ACK, Connection, Frame, Kind, connected
from tests.referee.server.listening_referee import served

CANCEL = (8).to_bytes(4)
REFUSED = 7
"""The error codes CANCEL and REFUSED_STREAM (RFC 9113, section 7)."""
HELLO = BotMessage(hello=Hello(protocol=1, token="guessed")).SerializeToString()


class Canceller:
    """Opens and cancels calls, four at a time: three before any message, one after the answer to its hello."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._stream = -1
        self._reached = 0
        connection.greet()
        connection.send(Kind.SETTINGS, ACK)
        connection.send(Kind.WINDOW_UPDATE, payload=(2**30).to_bytes(4))

    async def cancel(self, calls: int) -> None:
        """Opens and cancels this many calls, besides those that gRPC refuses while it still counts cancelled ones."""
        until = self._reached + calls
        while self._reached < until:
            for _ in range(3):
                self._open()
                self._cancel()
            self._open()
            self._connection.say(self._stream, HELLO)
            await self._answer()
            self._cancel()

    def _open(self) -> None:
        self._stream += 2
        self._connection.call(self._stream)

    def _cancel(self) -> None:
        self._connection.send(Kind.RST_STREAM, 0, self._stream, CANCEL)

    async def _answer(self) -> None:
        came = await self._connection.frames_until(self._is_answer)
        ended = [frame for frame in came if frame.kind == Kind.RST_STREAM and frame.number]
        assert {frame.number for frame in ended} <= {REFUSED}
        self._reached += 4 - len(ended)
        if came[-1].kind == Kind.DATA:
            assert came[-1].stream == self._stream
            assert b"opens no seat" in came[-1].payload
        else:
            assert came[-1] in ended
        for ping in came:
            if ping.kind == Kind.PING and not ping.flags & ACK:
                self._connection.send(Kind.PING, ACK, payload=ping.payload)  # or the referee would consider it dead

    def _is_answer(self, frame: Frame) -> bool:
        return frame.kind == Kind.DATA or (frame.kind == Kind.RST_STREAM and frame.stream == self._stream)


def test_cancelled_calls_leave_no_object_behind() -> None:
    async def growth() -> int:
        async with served() as address, connected(address) as connection:
            canceller, counts = Canceller(connection), list[int]()
            for calls in (200, 1000):
                await canceller.cancel(calls)
                await connection.frames_until_pong()
                gc.collect()
                counts.append(len(gc.get_objects()))
            return counts[1] - counts[0]

    assert asyncio.run(growth()) < 500
