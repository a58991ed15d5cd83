"""Who may connect and stay: a client that falls silent is put out in seconds, one that thinks is left alone."""

import asyncio
import os
import signal
import stat
import struct
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path

import pytest

from bourre.messages import PROTOCOL, Hello
from bourre_referee.server.room import Room
from bourre_referee.server.service import Refusal, Service, _refusal_of, find_among
from tests.end_to_end.rooms import room_with
from tests.referee.connection_desk import Desk
from tests.referee.server.http2 import ACK, INITIAL_WINDOW_SIZE, PREFACE, Connection, Kind, connected
from tests.referee.server.listening_referee import OPTIONS, Deaf, deaf, options, said_to_hello, served

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
        assert "unknown token" in await said_to_hello(address)


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


async def two_at(address: str) -> None:
    """Starts a second referee where the first one listens."""
    async with served(OPTIONS, address) as first, served(OPTIONS, first):
        pass


def test_a_second_referee_on_a_port_is_refused() -> None:
    with pytest.raises(OSError, match=r"in use .*127\.0\.0\.1"):
        asyncio.run(two_at("127.0.0.1:0"))


async def test_a_second_referee_on_a_socket_is_refused_until_the_first_one_has_gone(tmp_path: Path) -> None:
    async with served(OPTIONS, f"unix:{tmp_path}/socket") as first:
        with pytest.raises(OSError, match="Another referee listens at"):
            await two_at(first)
        assert "unknown token" in await said_to_hello(first)
    for _ in range(2):
        async with served(OPTIONS, f"unix:{tmp_path}/socket") as address:
            assert "unknown token" in await said_to_hello(address)


def test_sockets_have_random_names_in_a_folder_that_nobody_else_can_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def sockets() -> set[str]:
        async with Room(room_with("absent", tmp_path / "logs")).run_bots():
            paths = [path for path in tmp_path.rglob("*") if path.is_socket()]
            for path in paths:
                (folder,) = [parent for parent in path.parents if parent.parent == tmp_path]
                assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            return {str(path) for path in paths}

    once, again = asyncio.run(sockets()), asyncio.run(sockets())
    assert once
    assert again
    assert not once & again


@pytest.mark.parametrize(("longer", "fits"), [(0, True), (1, False)])
def test_a_path_that_no_socket_can_have_is_refused_with_a_hint(tmp_path: Path, longer: int, fits: bool) -> None:
    room = 107 if sys.platform == "linux" else 103
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # whatever TMPDIR is
        path = f"{folder}/".ljust(room + longer, "x")

        async def listens() -> None:
            async with served(address=f"unix:{path}"):
                pass

        if fits:
            asyncio.run(listens())
        else:
            with pytest.raises(OSError, match=f"has at most {room} bytes.\nhint: set TMPDIR to a shorter folder"):
                asyncio.run(listens())


def test_a_hello_is_refused_for_the_first_reason_that_there_is() -> None:
    hello, line, stranger = Hello("token"), Desk().line, Refusal("no such token", "unknown token")
    older = _refusal_of(hello._replace(protocol=PROTOCOL - 1), line, None)
    assert str(older).startswith(f"this referee speaks protocol {PROTOCOL}, the bot {PROTOCOL - 1}: ")
    assert (older.kind, older.bot) == ("other protocol", "tight") if older else False
    assert _refusal_of(hello, stranger, None) is stranger
    assert "needs a certificate with tight as its common name" in str(_refusal_of(hello, line, {"loose"}))
    assert "tight is already connected" in str(_refusal_of(hello, line, {"tight"}))
    line.hang_up()
    assert _refusal_of(hello, line, None) is None
    line.close()
    assert str(_refusal_of(hello, line, None)).endswith("tight is closed: its time to come back is over")
    line.refusal = "a flood"
    assert str(_refusal_of(hello, line, None)).endswith("tight is closed: a flood")


def test_a_seat_knows_why_its_last_hello_was_turned_away_and_strangers_learn_nothing() -> None:
    line = Desk().line
    service = Service(find_among({"token": line}), 1.0, lambda _: nullcontext())
    for hello, said in [
        (None, "the first message must be a hello, sent at once"),
        (Hello("tokem"), "unknown token: use BOURRE_TOKEN as the referee gave it"),
    ]:
        assert asyncio.run(service._admit(hello, None)) == said
        assert line.turned_away == ""
    assert asyncio.run(service._admit(Hello("token"), None)) == line.turned_away != ""
    line.hang_up()
    assert asyncio.run(service._admit(Hello("token"), None)) is line
    assert line.live
