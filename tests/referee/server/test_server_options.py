"""Whatever is too large or too much is refused before it costs anything, because of our options."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import grpc.aio
import pytest

from bourre_referee.model.spec import Clock
from bourre_referee.server.server_options import Options, door_options, server_options
from tests.referee.server.http2 import Connection, Kind, connected
from tests.referee.server.listening_referee import OPTIONS, Deaf, deaf, options, said_to_hello, served

GIANT = "x" * 100_000
BOMB = "x" * 3_000_000
"""A text that compresses to some 3 KB."""
LET_IN = "this token opens no seat"


async def said(limits: Options, **hello: object) -> str:
    async with served(limits) as address:
        return await said_to_hello(address, **hello)  # type: ignore[arg-type]


def test_a_giant_message_ends_the_call() -> None:
    assert "RESOURCE_EXHAUSTED: SERVER: Received message larger" in asyncio.run(said(OPTIONS, token=GIANT))
    assert LET_IN in asyncio.run(said(options(max_receive_message_length=None), token=GIANT))


def test_a_message_that_unpacks_to_a_giant_ends_the_call() -> None:
    packed = {"token": BOMB, "compression": grpc.Compression.Gzip}
    assert "Decompressed message larger than max" in asyncio.run(said(OPTIONS, **packed))
    assert LET_IN in asyncio.run(said(options(max_receive_message_length=None), **packed))


def test_giant_metadata_end_the_call() -> None:
    metadata = (("giant", "x" * 20_000),)
    assert "RESOURCE_EXHAUSTED: received metadata size exceeds hard limit" in asyncio.run(
        said(OPTIONS, metadata=metadata)
    )
    assert LET_IN in asyncio.run(said(options(absolute_max_metadata_size=64 * 1024), metadata=metadata))


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


def test_a_crowd_of_connections_finds_the_door_closed() -> None:
    assert asyncio.run(let_in_of(70, OPTIONS)) == [True] * 64 + [False] * 6
    assert all(asyncio.run(let_in_of(70, options(max_allowed_incoming_connections=None))))


async def refused_calls(method: str) -> grpc.StatusCode:
    async with served() as address, grpc.aio.insecure_channel(address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{method}")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"")
        return refused.value.code()


@pytest.mark.parametrize(
    "method",
    [
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        "grpc.health.v1.Health/Check",
        "bourre.v1.Referee/Stop",
    ],
)
def test_a_bot_can_call_nothing_but_play(method: str) -> None:
    assert asyncio.run(refused_calls(method)) == grpc.StatusCode.UNIMPLEMENTED


def test_a_door_has_the_limits_of_a_room_but_for_those_of_bots_that_wait() -> None:
    clock = Clock(decision_ms=100, bank_ms=20)
    room, door = dict(server_options(clock)), dict(door_options(clock, 7))
    assert room["grpc.http2.ping_timeout_ms"] == door["grpc.http2.ping_timeout_ms"] == 5_120
    assert {name: limit for name, limit in door.items() if limit != room.get(name)} == {
        "grpc.max_allowed_incoming_connections": 519,
        "grpc.max_connection_idle_ms": 10_000,
        "grpc.server_handshake_timeout_ms": 10_000,
        "grpc.keepalive_time_ms": 20_000,
        "grpc.http2.min_ping_interval_without_data_ms": 20_000,
    }
    assert room.keys() <= door.keys()
