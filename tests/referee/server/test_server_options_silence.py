"""A client that sends nothing, or nothing more, is put out in seconds; one that thinks is left alone.

Beside each connection that the referee ends is one to a referee without the option: it stays open.
"""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from tests.referee.server.http2 import ACK, INITIAL_WINDOW_SIZE, PREFACE, Connection, Kind, connected
from tests.referee.server.listening_referee import Deaf, deaf, options, said_to_hello, served

QUICK = options(keepalive_time_ms=100, http2_ping_timeout_ms=400)
"""Like the referee's own limits, but shorter."""

BEGUN = (b"", PREFACE[:10], PREFACE, PREFACE + b"\0\0\x06\4")
"""Handshakes that stop half-way."""

CLIENT = """
import asyncio, sys
import grpc.aio
from bourre.v1.referee_pb2 import BotMessage, Hello
from bourre.v1.referee_pb2_grpc import RefereeStub

async def main():
    async with grpc.aio.insecure_channel(sys.argv[1]) as channel:
        call = RefereeStub(channel).Play(wait_for_ready=True)
        await call.write(BotMessage(hello=Hello(protocol=1, token="x")))
        print("there", flush=True)
        while sys.argv[2] == "think":
            pass
        await call.read()

asyncio.run(main())
"""


async def reason(connection: Connection) -> bytes:
    """Why the referee closes the connection, in its words."""
    (last,) = [frame for frame in await connection.frames_until_close() if frame.kind == Kind.GOAWAY]
    return last.payload[8:]


async def test_a_handshake_that_is_never_finished_is_broken_off() -> None:
    without = options(server_handshake_timeout_ms=None)
    async with served() as one, served(without) as other, AsyncExitStack() as stack, connected(other) as staying:
        closing = [await stack.enter_async_context(connected(one)) for _ in BEGUN]
        for connection, begun in zip(closing, BEGUN, strict=True):
            connection.send_bytes(begun)
        for connection in closing:
            assert (await reason(connection)).startswith(b"Did not receive HTTP/2 settings before handshake timeout")
        staying.greet()
        assert (await staying.frames_until_pong())[-1].kind == Kind.PING


async def test_a_connection_without_a_call_is_closed() -> None:
    without = options(max_connection_idle_ms=None)
    async with served() as one, served(without) as other, connected(one) as closing, connected(other) as staying:
        closing.greet()
        staying.greet()
        assert await reason(closing) == b"connection idle"
        assert (await staying.frames_until_pong())[-1].kind == Kind.PING


async def test_who_answers_no_ping_is_given_up() -> None:
    without = options(keepalive_time_ms=100, keepalive_timeout_ms=400, http2_ping_timeout_ms=None)
    async with deaf(QUICK) as one, deaf(without) as other, connected(one) as closing, connected(other) as staying:
        for connection in (closing, staying):
            connection.greet()
            connection.call(1)
        assert await reason(closing) == b"ping_timeout"
        assert (await staying.frames_until_pong())[-1].kind == Kind.PING


@asynccontextmanager
async def client(address: str, manner: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process with a call open, whose client is gRPC's own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLIENT, address, manner, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"there\n"
        yield process
    finally:
        process.kill()
        await process.wait()


async def test_a_stopped_process_is_noticed() -> None:
    service = Deaf()
    async with deaf(QUICK, service) as address, client(address, "wait") as process:
        os.kill(process.pid, signal.SIGSTOP)
        await service.ended.wait()


async def test_a_process_that_thinks_through_many_pings_is_left_alone() -> None:
    service = Deaf()
    async with deaf(QUICK, service) as address, client(address, "think"), connected(address) as clock:
        clock.greet()
        clock.call(1)
        for _ in range(12):
            ping = (await clock.frames_until(lambda frame: frame.kind == Kind.PING))[-1]
            clock.send(Kind.PING, ACK, payload=ping.payload)
        await service.runs(2)
        assert not service.ended.is_set()


async def test_pings_go_on_for_as_long_as_a_bot_thinks() -> None:
    async with deaf(QUICK) as address, connected(address) as connection:
        connection.greet()
        connection.call(1)
        for _ in range(12):
            ping = (await connection.frames_until(lambda frame: frame.kind == Kind.PING))[-1]
            connection.send(Kind.PING, ACK, payload=ping.payload)
        found = await reason(connection)
    assert found == b"ping_timeout"


async def test_a_crowd_that_says_nothing_keeps_nobody_out() -> None:
    async with served() as address, AsyncExitStack() as stack:
        for number in range(50):
            connection = await stack.enter_async_context(connected(address))
            if number % 2:
                connection.greet()
                connection.call(1)
        assert "this token opens no seat" in await said_to_hello(address)


def test_who_reads_nothing_does_not_keep_the_referee_from_ending() -> None:
    async def attack() -> list[int]:
        async with AsyncExitStack() as stack:
            connection = await _after(stack)
            return [frame.kind for frame in await connection.frames_until_close()]

    async def _after(stack: AsyncExitStack) -> Connection:
        """A connection whose window never let the answer to its call through, once the referee has ended."""
        async with served(hello_seconds=0.1) as address:
            connection = await stack.enter_async_context(connected(address))
            connection.send_bytes(PREFACE)
            connection.send(Kind.SETTINGS, payload=struct.pack("!HI", INITIAL_WINDOW_SIZE, 0))
            connection.call(1)
            await connection.frames_until(lambda frame: frame.kind == Kind.HEADERS)  # it has begun to answer
        return connection

    came = asyncio.run(attack())
    assert Kind.RST_STREAM in came
    assert Kind.DATA not in came
