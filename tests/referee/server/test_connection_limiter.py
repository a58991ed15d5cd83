"""Strangers at the TCP port compete only with strangers, a crowd from one address only with itself."""

import asyncio
import resource
import socket
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.connection.client import play
from bourre_referee.server import carried_connection, connection_limiter
from bourre_referee.server.carried_connection import CarriedEnd
from bourre_referee.server.connection_limiter import ConnectionLimiter, FairQueue, source_of
from tests.end_to_end.breaking import played_with, visited_room
from tests.end_to_end.rooms import GENEROUS
from tests.referee.server.http2 import connected
from tests.referee.server.listening_referee import served

SOON = 0.05
NEVER = 3600.0


@pytest.mark.parametrize("calling", [False, True], ids=["silent", "calling"])
def test_a_crowd_without_a_token_keeps_no_bot_out(calling: bool, tmp_path: Path) -> None:
    """Each of the crowd comes back as soon as it is put out, before the bot connects and until the match is over."""

    async def stranger(address: str, came: asyncio.Semaphore) -> None:
        while True:
            with suppress(OSError):
                async with connected(address) as connection:
                    came.release()
                    if calling:
                        connection.greet()
                        connection.call(1)
                    await connection.frames_until_close()

    async def visit(address: str, token: str) -> None:
        came = asyncio.Semaphore(0)
        crowd = [asyncio.create_task(stranger(address, came)) for _ in range(70)]
        for _ in crowd:
            await came.acquire()
        await play(Bot, address, token)
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    (outcome,) = played_with(visited_room(tmp_path, clock=GENEROUS), visit)
    assert outcome.faults == ()


class Guarded:
    """A limiter in front of an echo server, and the names under which the server knows its connections."""

    def __init__(self, opened: ConnectionLimiter, port: int) -> None:
        self.limiter = opened
        self.address = ("127.0.0.1", port)
        self.peers: asyncio.Queue[str] = asyncio.Queue()
        self._writers: list[asyncio.StreamWriter] = []

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection."""
        self.peers.put_nowait(f"unix:{writer.get_extra_info('peername')}")
        while said := await reader.read(100):
            writer.write(said)
        writer.close()

    async def knock(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, let in or not."""
        reader, writer = await asyncio.open_connection(*self.address)
        self._writers.append(writer)
        return reader, writer

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection that was let in."""
        reader, writer = await self.knock()
        writer.write(b"here")
        assert await reader.readexactly(4) == b"here"
        return reader, writer

    def hang_up(self) -> None:
        """Ends every connection."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def guarded(serving: bool = True) -> AsyncIterator[Guarded]:
    with tempfile.TemporaryDirectory() as folder:
        opened = ConnectionLimiter(Path(folder))
        with ExitStack() as stack:
            async with opened.listen("127.0.0.1:0") as port:
                guard = Guarded(opened, port)
                stack.callback(guard.hang_up)
                if serving:
                    server = await asyncio.start_unix_server(guard.take, opened.behind)
                    stack.callback(server.close)
                yield guard


async def test_who_shows_no_token_is_put_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "PATIENCE_SECONDS", SOON)
    async with served(address="127.0.0.1:0") as address, connected(address) as connection:
        connection.greet()
        connection.call(1)
        await connection.frames_until_close()
        assert await connection.frame() is None


async def test_who_has_shown_a_token_stays_until_its_last_call_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "PATIENCE_SECONDS", NEVER)
    async with guarded() as guard:
        reader, writer = await guard.dial()
        peer = await guard.peers.get()
        monkeypatch.setattr(connection_limiter, "PATIENCE_SECONDS", SOON)
        with guard.limiter.trust(peer):
            with guard.limiter.trust(peer):
                pass
            stranger, _ = await guard.knock()
            assert await stranger.read() == b""
            writer.write(b"still")
            assert await reader.readexactly(5) == b"still"
        assert await reader.read() == b""


def test_who_waits_for_a_place_gets_it_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """None leaves by itself: each is put out for the next, and the last one stays."""
    monkeypatch.setattr(connection_limiter, "PLACES", 2)
    monkeypatch.setattr(connection_limiter, "PATIENCE_SECONDS", NEVER)
    monkeypatch.setattr(connection_limiter, "CROWDED_SECONDS", SOON)
    out: list[int] = []

    async def stay(number: int, reader: asyncio.StreamReader) -> None:
        await reader.read()
        out.append(number)

    async def crowd() -> list[int]:
        async with guarded() as guard:
            staying = [asyncio.create_task(stay(number, (await guard.dial())[0])) for number in range(8)]
            await asyncio.gather(*staying[:6])
            return list(out)

    assert asyncio.run(crowd()) == [0, 1, 2, 3, 4, 5]


async def test_a_crowd_from_one_address_keeps_nobody_from_another_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The crowd holds every place and all others wait; the one from another address comes next."""
    monkeypatch.setattr(connection_limiter, "PLACES", 4)
    monkeypatch.setattr(connection_limiter, "PATIENCE_SECONDS", NEVER)
    monkeypatch.setattr(connection_limiter, "CROWDED_SECONDS", 6 * SOON)
    async with guarded() as guard:
        crowd = [await guard.knock() for _ in range(100)]
        for _ in range(4):
            await guard.peers.get()
        reader, writer = await asyncio.open_connection(*guard.address, local_addr=("127.0.0.2", 0))
        writer.write(b"here")
        assert await reader.readexactly(4) == b"here"
        writer.transport.abort()
        found = sum(crowded.at_eof() for crowded, _ in crowd)
    assert found < 50


def test_those_who_have_shown_a_token_take_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "PLACES", 1)
    monkeypatch.setattr(connection_limiter, "CROWDED_SECONDS", NEVER)

    async def come(guard: Guarded, left: int) -> None:
        reader, writer = await guard.dial()
        with guard.limiter.trust(await guard.peers.get()):
            if left:
                await come(guard, left - 1)
            writer.write(b"still")
            assert await reader.readexactly(5) == b"still"

    async def crowd() -> None:
        async with guarded() as guard:
            await come(guard, 8)

    asyncio.run(crowd())


async def test_who_leaves_without_a_token_frees_its_place_no_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a crowd that comes with wrong tokens is no faster than one that lingers."""
    monkeypatch.setattr(connection_limiter, "PLACES", 1)
    monkeypatch.setattr(connection_limiter, "CROWDED_SECONDS", NEVER)
    async with guarded() as guard:
        _, writer = await guard.dial()
        await guard.peers.get()
        writer.transport.abort()
        while guard.limiter._visits:
            await asyncio.sleep(0)
        assert len(guard.limiter._strangers) == 1


async def test_who_leaves_while_it_is_trusted_takes_no_place() -> None:
    async with guarded() as guard:
        _, writer = await guard.dial()
        with guard.limiter.trust(await guard.peers.get()):
            writer.transport.abort()
            while guard.limiter._visits:
                await asyncio.sleep(0)
        assert not guard.limiter._strangers


def test_a_gate_that_the_host_fails_says_so_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> socket.socket:
        raise OSError("too many open files")

    async def come() -> None:
        async with guarded() as guard:
            monkeypatch.setattr(carried_connection, "_dial", fail)
            reader, _ = await guard.knock()
            assert await reader.read() == b""

    with pytest.raises(OSError, match="too many open files"):
        asyncio.run(come())


async def test_a_client_that_comes_while_the_server_ends_is_nobodys_trouble() -> None:
    async with guarded(serving=False) as guard:
        reader, _ = await guard.knock()
        assert await reader.read() == b""


async def test_a_gate_leaves_nothing_behind() -> None:
    async with guarded() as guard:
        reader, _ = await guard.dial()
        folder = guard.limiter.behind.parent
        left = [path for path in folder.iterdir() if path != guard.limiter.behind]
    assert await reader.read() == b""
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(*guard.address)
    assert (len(asyncio.all_tasks()), left) == (1, [])


@pytest.mark.parametrize("turns", range(6))
async def test_who_comes_as_the_gate_closes_is_closed_too(turns: int) -> None:
    """A socket that nobody closed would be told as a ResourceWarning, which fails the test."""
    async with guarded(serving=False) as guard:
        await asyncio.sleep(0)  # it listens
        client = socket.create_connection(guard.address)
        for _ in range(turns):
            await asyncio.sleep(0)
    with client, suppress(ConnectionError):
        client.settimeout(10)
        assert client.recv(1) == b""


def test_a_gate_whose_host_has_no_file_free_rests_and_says_so_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "_REST_SECONDS", 0.0)

    async def come() -> None:
        async with guarded() as guard:
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            with socket.socket() as client:
                client.setblocking(False)
                resource.setrlimit(resource.RLIMIT_NOFILE, (client.fileno(), limits[1]))
                try:
                    await asyncio.get_running_loop().sock_connect(client, guard.address)
                    await asyncio.sleep(0)
                    await asyncio.sleep(0)
                finally:
                    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            await guard.dial()

    with pytest.raises(OSError, match="Too many open files"):
        asyncio.run(come())


@pytest.mark.parametrize("ended", [False, True])
async def test_what_comes_before_both_ends_are_joined_is_carried(ended: bool) -> None:
    """asyncio of Python 3.11.2 reads on although `connection_made` paused it, and a server's first frame was lost."""
    loop, (ours, near), (far, theirs) = asyncio.get_running_loop(), socket.socketpair(), socket.socketpair()
    with ours, theirs:
        _, end = await loop.create_connection(CarriedEnd, sock=near)
        end.data_received(b"early, ")
        if ended:
            end.eof_received()
        _, other = await loop.create_connection(CarriedEnd, sock=far)
        end.join(other)
        if not ended:
            ours.sendall(b"late")
            ours.shutdown(socket.SHUT_WR)
        theirs.setblocking(False)
        found = b""
        while part := await loop.sock_recv(theirs, 100):
            found += part
        end.abort()
    assert found == (b"early, " if ended else b"early, late")


def queue_of(words: str, most: int = 9) -> FairQueue[str]:
    """Those who wait, each named by its source and a number."""
    queue = FairQueue[str](most)
    for word in words.split():
        assert queue.join(word[0], word) is None
    return queue


def in_order(queue: FairQueue[str], inside: str = "") -> str:
    """Those who wait, in the order in which they are let in."""
    counts = Counter(inside)
    let_in = []
    while queue:
        source, who = queue.next(counts)
        counts[source] += 1
        let_in.append(who)
    return " ".join(let_in)


def test_each_source_waits_in_turn_and_one_with_fewer_inside_goes_first() -> None:
    assert in_order(queue_of("a1 a2 a3 b1 c1")) == "a1 b1 c1 a2 a3"
    assert in_order(queue_of("a1 a2 b1"), inside="aaa") == "b1 a1 a2"


def test_if_too_many_wait_the_largest_source_loses_its_last_and_all_leave_at_the_end() -> None:
    queue = queue_of("a1 a2 a3 b1", most=4)
    assert queue.join("b", "b2") == "a3"
    assert queue.join("c", "c1") in ("a2", "b2")
    assert len(queue) == 4
    queue = queue_of("a1 b1 a2")
    assert sorted(queue.leave_all()) == ["a1", "a2", "b1"]
    assert len(queue) == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_an_ipv6_network_is_one_source(one: str, other: str, same: bool) -> None:
    assert (source_of(one) == source_of(other)) == same
