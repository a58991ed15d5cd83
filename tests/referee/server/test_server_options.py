"""Whatever is too large or too much is refused before it costs anything, and leaves nothing behind."""

import gc
from contextlib import AsyncExitStack
from typing import Any

import grpc.aio
import pytest

from bourre.v1.referee_pb2 import BotMessage, Hello
from bourre_referee.model.spec import Clock
from bourre_referee.server.server_options import Options, listener_options, server_options
from tests.referee.server.http2 import ACK, INITIAL_WINDOW, INITIAL_WINDOW_SIZE, Connection, Frame, Kind, connected
from tests.referee.server.listening_referee import OPTIONS, Deaf, deaf, options, said_to_hello, served

GIANT = "x" * 100_000
BOMB = "x" * 3_000_000
"""A text that compresses to some 3 KB."""


@pytest.mark.parametrize(
    ("hello", "without", "said"),
    [
        ({"token": GIANT}, {"max_receive_message_length": None}, "RESOURCE_EXHAUSTED: SERVER: Received message larger"),
        (
            {"token": BOMB, "compression": grpc.Compression.Gzip},
            {"max_receive_message_length": None},
            "Decompressed message larger than max",
        ),
        (
            {"metadata": (("giant", "x" * 20_000),)},
            {"absolute_max_metadata_size": 64 * 1024},
            "RESOURCE_EXHAUSTED: received metadata size exceeds hard limit",
        ),
    ],
    ids=["a message", "a message when unpacked", "metadata"],
)
async def test_what_is_giant_ends_the_call(hello: dict[str, Any], without: dict[str, int | None], said: str) -> None:
    for limits, words in ((OPTIONS, said), (options(**without), "unknown token")):
        async with served(limits) as address:
            assert words in await said_to_hello(address, **hello)


async def test_a_connection_carries_four_calls() -> None:
    service, refused = Deaf(), 0
    async with deaf(OPTIONS, service) as address, connected(address) as connection:
        connection.greet()
        for stream in range(1, 21, 2):
            connection.call(stream)
        await service.runs(4)
        while refused < 6:
            frame = await connection.frame()
            assert frame is not None
            refused += frame.kind == Kind.RST_STREAM
        assert service.running == 4


async def answered(connection: Connection) -> bool:
    """Whether the server answers rather than closing the connection."""
    connection.greet()
    return any(frame.kind == Kind.PING for frame in await connection.frames_until_pong())


async def let_in_of(many: int, limits: Options) -> list[bool]:
    """Which of this many connections, opened one after another, are served; tries the first one again at the end."""
    async with served(limits) as address, AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(connected(address)) for _ in range(many)]
        seen = [await answered(connection) for connection in connections]
        assert await connections[0].frames_until_pong(b"again---")
        return seen


async def test_a_crowd_of_connections_finds_the_listener_closed() -> None:
    assert await let_in_of(70, OPTIONS) == [True] * 64 + [False] * 6
    assert all(await let_in_of(70, options(max_allowed_incoming_connections=None)))


@pytest.mark.parametrize(
    "method",
    [
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        "grpc.health.v1.Health/Check",
        "bourre.v1.Referee/Stop",
    ],
)
async def test_a_bot_can_call_nothing_but_play(method: str) -> None:
    async with served() as address, grpc.aio.insecure_channel(address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{method}")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"")
    assert refused.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_listener_has_the_limits_of_a_room_but_for_those_of_bots_that_wait() -> None:
    clock = Clock(decision_ms=100, bank_ms=20)
    room, listener = dict(server_options(clock)), dict(listener_options(clock, 7))
    assert room["grpc.http2.ping_timeout_ms"] == listener["grpc.http2.ping_timeout_ms"] == 5_120
    assert {name: limit for name, limit in listener.items() if limit != room.get(name)} == {
        "grpc.max_allowed_incoming_connections": 519,
        "grpc.max_connection_idle_ms": 10_000,
        "grpc.server_handshake_timeout_ms": 10_000,
        "grpc.keepalive_time_ms": 20_000,
        "grpc.http2.min_ping_interval_without_data_ms": 20_000,
    }
    assert room.keys() <= listener.keys()


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


async def test_what_the_referee_does_not_read_stalls_after_64_kib() -> None:
    assert await bytes_taken(OPTIONS) <= 64 * 1024
    assert await bytes_taken(options(http2_bdp_probe=None)) >= 4_000_000


async def test_a_flood_of_pings_ends_the_connection() -> None:
    came: list[Frame] = []
    async with served() as address, connected(address) as connection:
        connection.greet()
        for number in range(100):  # one after another: unread frames may hide its last message
            came += await connection.frames_until_pong(number.to_bytes(8))
            if came[-1].kind != Kind.PING:
                break
    last_words = [came[-1].payload for _ in range(3)]  # who writes too often may miss them
    assert any(b"too_many_pings" in words for words in last_words)


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
            assert b"unknown token" in came[-1].payload
        else:
            assert came[-1] in ended
        for ping in came:
            if ping.kind == Kind.PING and not ping.flags & ACK:
                self._connection.send(Kind.PING, ACK, payload=ping.payload)  # or the referee would consider it dead

    def _is_answer(self, frame: Frame) -> bool:
        return frame.kind == Kind.DATA or (frame.kind == Kind.RST_STREAM and frame.stream == self._stream)


async def test_cancelled_calls_leave_no_object_behind() -> None:
    async with served() as address, connected(address) as connection:
        canceller, counts = Canceller(connection), list[int]()
        for calls in (200, 1000):
            await canceller.cancel(calls)
            await connection.frames_until_pong()
            gc.collect()
            counts.append(len(gc.get_objects()))
    assert counts[1] - counts[0] < 500
