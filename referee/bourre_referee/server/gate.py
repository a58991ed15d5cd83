"""The gate before a TCP port: connections that have not shown a token get few places, each for a short time.

gRPC counts all connections alike, so a crowd of strangers could take the places of the bots. Here strangers compete
with strangers alone. Who comes when all their places are taken waits in the kernel's queue, first come first served; a
crowd of n connections delays a bot by n / PLACES * CROWDED_SECONDS at most, for as long as the queue holds them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path

from bourre_referee.server.shielded import shielded

PLACES = 32
"""For connections that have not shown a token, at one time; gRPC's own limit leaves room for the bots besides."""
PATIENCE_SECONDS = 5.0
"""How long a connection may stay without a token that is accepted."""
CROWDED_SECONDS = 0.5
"""How long it may stay at least, even if others wait for its place."""
_QUEUE = 4096
"""Connections that wait in the kernel, as far as the system allows."""
_LAST_WORDS_SECONDS = 1.0
"""For what gRPC has said to reach the clients, once it has ended."""
_CHUNK_BYTES = 64 * 1024

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Gate:
    """Carries connections from a TCP port to the socket of a server, which tells it who has shown a token.

    To the server a connection is known by the name that the gate gives to its own end (`context.peer()` in gRPC).
    """

    def __init__(self, folder: Path) -> None:
        """`folder`: private and empty; for the socket of the server and the gate's own ends."""
        self.behind = folder / "referee"
        """Where the server has to listen."""
        self._folder = folder
        self._numbers = count(1)
        self._visits: dict[str, _Visit] = {}
        self._strangers: dict[str, _Visit] = {}
        """Those without a token, the first to come first."""
        self._left = asyncio.Event()
        self._trouble: BaseException | None = None

    @asynccontextmanager
    async def opened(self, address: str) -> AsyncIterator[int]:
        """Listens at this address (`host:port`) and yields the port.

        Raises OSError where it is taken, and at the end where the host has failed the gate meanwhile.
        """
        host, _, port = address.rpartition(":")
        with socket.create_server((host, int(port)), backlog=_QUEUE) as listener:
            listener.setblocking(False)
            accepting = asyncio.create_task(self._accept(listener))
            try:
                yield listener.getsockname()[1]
            finally:
                await shielded(self._close(accepting))

    @contextmanager
    def known(self, peer: str) -> Iterator[None]:
        """For as long as this lasts the connection of this peer is no stranger's; others need no gate."""
        visit = self._visits.get(peer)
        if visit is None:
            yield
            return
        visit.calls += 1
        visit.stay()
        self._strangers.pop(peer, None)
        self._left.set()
        try:
            yield
        finally:
            visit.calls -= 1
            if not visit.calls and not visit.task.done():
                visit.leave_within(PATIENCE_SECONDS)
                self._strangers[peer] = visit

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            with suppress(ConnectionAbortedError):  # it has gone while it was in the queue
                client, _ = await loop.sock_accept(listener)
                try:
                    await self._free_place()
                except asyncio.CancelledError:
                    client.close()
                    raise
                self._let_in(client)

    async def _free_place(self) -> None:
        """Waits for a place among the strangers; whoever has been there longest leaves first."""
        while len(self._strangers) >= PLACES:
            self._left.clear()
            next(iter(self._strangers.values())).hurry()
            await self._left.wait()

    def _let_in(self, client: socket.socket) -> None:
        end = self._folder / str(next(self._numbers))
        peer = f"unix:{end}"
        task = asyncio.create_task(_carry(client, end, self.behind))
        self._visits[peer] = self._strangers[peer] = _Visit(task)
        task.add_done_callback(lambda _: client.close())  # where it was cancelled before it was carried
        task.add_done_callback(lambda _: self._forget(peer))

    def _forget(self, peer: str) -> None:
        visit = self._visits.pop(peer)
        visit.stay()
        if not visit.task.cancelled():
            self._trouble = self._trouble or visit.task.exception()
        self._strangers.pop(peer, None)
        self._left.set()

    async def _close(self, accepting: asyncio.Task[None]) -> None:
        """Takes nobody more, lets those who are there hear the server's last words; raises what broke the gate."""
        accepting.cancel()
        visits = [visit.task for visit in self._visits.values()]
        if visits:
            await asyncio.wait(visits, timeout=_LAST_WORDS_SECONDS)
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        with suppress(asyncio.CancelledError):
            await accepting
        if self._trouble:
            raise self._trouble


class _Visit:
    """A connection, and the moment when it has to leave."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.calls = 0
        """With a token that was accepted: bots of one program may share a connection."""
        self._loop = asyncio.get_running_loop()
        self.leave_within(PATIENCE_SECONDS)

    def leave_within(self, seconds: float) -> None:
        """From now on."""
        self._since = self._loop.time()
        self._timer = self._loop.call_later(seconds, self.task.cancel)

    def hurry(self) -> None:
        """Somebody waits for its place."""
        self._timer.cancel()
        self._timer = self._loop.call_at(self._since + CROWDED_SECONDS, self.task.cancel)

    def stay(self) -> None:
        """It may stay."""
        self._timer.cancel()


async def _carry(client: socket.socket, end: Path, behind: Path) -> None:
    """Carries a connection both ways until either side ends it. Raises OSError where the host fails it."""
    try:
        server = await _dialled(end, behind)
    except (ConnectionError, FileNotFoundError):  # the server is ending
        return
    with suppress(OSError):  # whatever the client has done to it
        await _exchange(await asyncio.open_connection(sock=client), server)


async def _exchange(client: Ends, server: Ends) -> None:
    """Waits for the server to let go, which it does when the client has: so gRPC's count is that of the gate."""
    sending = asyncio.create_task(_send(client[0], server[1]))
    try:
        await _pump(server[0], client[1])
        client[1].close()
        await client[1].wait_closed()
    finally:
        sending.cancel()
        server[1].transport.abort()
        client[1].transport.abort()


async def _send(reader: asyncio.StreamReader, server_writer: asyncio.StreamWriter) -> None:
    await _pump(reader, server_writer)
    with suppress(OSError):  # the server has gone
        server_writer.write_eof()


async def _dialled(end: Path, behind: Path) -> Ends:
    """A connection to the server, whose own end has this name for as long as it takes to make it."""
    with socket.socket(socket.AF_UNIX) as named:
        named.setblocking(False)
        named.bind(str(end))
        try:
            await asyncio.get_running_loop().sock_connect(named, str(behind))
            return await asyncio.open_unix_connection(sock=named.dup())
        finally:
            end.unlink()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Passes on what comes, until either side breaks or ends."""
    with suppress(OSError):
        while passed := await reader.read(_CHUNK_BYTES):
            writer.write(passed)
            await writer.drain()
