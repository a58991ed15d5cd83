"""Limits the connections to a TCP port that have not shown a token: they get few places, each for a short time.

gRPC counts all connections alike, so unauthenticated clients could exhaust the connections. Here strangers compete only
with strangers, and first with those from their own address. When all places are taken, the address with the most places
loses one to the address with the fewest. A crowd from another address delays a bot by at most CROWDED_SECONDS. n
connections from its own address delay it by at most n / PLACES * CROWDED_SECONDS.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Generic, TypeVar

from bourre_referee.server.carried_connection import carry
from bourre_referee.server.uncancelled import shielded

T = TypeVar("T")

_NETWORK_BYTES = 8
"""The prefix of an IPv6 network. One customer has all addresses of such a network."""


class FairQueue(Generic[T]):
    """Waiting connections, in order of arrival for each source."""

    def __init__(self, most: int) -> None:
        """At most `most` wait at a time."""
        self._most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def join(self, source: str, who: T) -> T | None:
        """Adds a connection. If too many wait, returns the one to turn away: the last of the largest source."""
        self._waiting.setdefault(source, deque()).append(who)
        self._number += 1
        if self._number <= self._most:
            return None
        largest = max(self._waiting, key=lambda each: len(self._waiting[each]))
        return self._take(largest, last=True)

    def next(self, inside: Counter[str]) -> tuple[str, T]:
        """Returns the next connection: the first of the source with the fewest inside. Raises if none waits."""
        source = min(self._waiting, key=lambda each: inside[each])
        who = self._take(source, last=False)
        if source in self._waiting:
            self._waiting.move_to_end(source)
        return source, who

    def leave_all(self) -> Iterable[T]:
        """Removes and returns all."""
        while self._waiting:
            yield self._take(next(iter(self._waiting)), last=False)

    def _take(self, source: str, *, last: bool) -> T:
        queue = self._waiting[source]
        who = queue.pop() if last else queue.popleft()
        if not queue:
            del self._waiting[source]
        self._number -= 1
        return who


def source_of(host: str) -> str:
    """Returns the source of a host: an IPv4 address, or a whole IPv6 network."""
    address = ip_address(host.partition("%")[0])
    return host if address.version == 4 else address.packed[:_NETWORK_BYTES].hex()


PLACES = 64
"""The most connections without a token. gRPC's own limit leaves room for the bots in addition."""
PATIENCE_SECONDS = 5.0
"""The longest stay without an accepted token."""
CROWDED_SECONDS = 1.5
"""The shortest stay, even if others wait for the place: enough for TLS and a hello over any distance.

The place stays taken for this time even if the connection ends."""
WAITING = 512
"""The most connections that wait for a place. The address with the most of them loses its last one."""
_QUEUE = 4096
"""The most connections that wait in the kernel, if the system allows it."""
_REST_SECONDS = 1.0
"""The pause in accepting after a failure of the host. A ladder's limiter runs for months."""
_LAST_WORDS_SECONDS = 1.0
"""The time for gRPC's last bytes to reach the clients after the server stopped."""


class ConnectionLimiter:
    """Carries connections from a TCP port to a server's socket. The server tells it who has shown a token.

    The server knows a connection by the name of the limiter's end (`context.peer()` in gRPC).
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is private and empty, for the server's socket and the limiter's own ends."""
        self.behind = folder / "referee"
        """The socket on which the server must listen."""
        self._folder = folder
        self._numbers = count(1)
        self._visits: dict[str, _Visit] = {}
        self._strangers: dict[str, _Visit] = {}
        """The connections without a token, in order of arrival."""
        self._queue = FairQueue[socket.socket](WAITING)
        self._changed = asyncio.Event()
        self._trouble: BaseException | None = None
        self._resuming: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def listen(self, address: str) -> AsyncIterator[int]:
        """Listens at this address (`host:port`) and yields the port.

        Raises OSError if the address is taken, and on exit if the host failed the limiter.
        """
        host, _, port = address.rpartition(":")
        at = (host.strip("[]"), int(port))
        family = socket.getaddrinfo(*at, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server(at, family=family, backlog=_QUEUE) as listener:
            listener.setblocking(False)
            loop = asyncio.get_running_loop()
            # `sock_accept` would lose a connection that comes just when its task is cancelled.
            loop.add_reader(listener, self._accept, listener)
            admitting = asyncio.create_task(self._admit())
            try:
                yield listener.getsockname()[1]
            finally:
                if self._resuming:
                    self._resuming.cancel()
                loop.remove_reader(listener)
                await shielded(self._close(admitting))

    @contextmanager
    def trust(self, peer: str) -> Iterator[None]:
        """Exempts this peer's connection from the limits inside the block. A peer without a limiter needs nothing."""
        visit = self._visits.get(peer)
        if visit is None:
            yield
            return
        visit.calls += 1
        visit.stay()
        self._strangers.pop(peer, None)
        self._changed.set()
        try:
            yield
        finally:
            visit.calls -= 1
            if not visit.calls and not visit.task.done():
                visit.leave_within(PATIENCE_SECONDS)
                self._strangers[peer] = visit

    def _accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # it left the kernel's queue
            return
        except OSError as error:  # such as too many open files: the next attempt would fail at once
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            self._resuming = loop.call_later(_REST_SECONDS, loop.add_reader, listener, self._accept, listener)
            self._trouble = self._trouble or error
            return
        client.setblocking(False)
        if turned_away := self._queue.join(source_of(address[0]), client):
            turned_away.close()
        self._changed.set()

    async def _admit(self) -> None:
        """Admits waiting connections to free places. If all are taken, the address with the most loses its oldest."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._queue and len(self._strangers) < PLACES:
                self._let_in(*self._queue.next(self._inside()))
            if self._queue:
                ((crowded, _),) = self._inside().most_common(1)
                next(visit for visit in self._strangers.values() if visit.source == crowded).hurry()

    def _inside(self) -> Counter[str]:
        return Counter(visit.source for visit in self._strangers.values())

    def _let_in(self, source: str, client: socket.socket) -> None:
        end = self._folder / str(next(self._numbers))
        peer = f"unix:{end}"
        task = asyncio.create_task(carry(client, end, self.behind))
        self._visits[peer] = self._strangers[peer] = _Visit(source, task)
        task.add_done_callback(lambda _: client.close())  # also if it was cancelled before it ran
        task.add_done_callback(lambda _: self._forget(peer))

    def _forget(self, peer: str) -> None:
        visit = self._visits.pop(peer)
        visit.stay()
        if not visit.task.cancelled():
            self._trouble = self._trouble or visit.task.exception()
        if peer in self._strangers:
            # Its place stays taken, so that clients cannot try wrong tokens faster by leaving.
            asyncio.get_running_loop().call_at(visit.since + CROWDED_SECONDS, self._free, peer)

    def _free(self, peer: str) -> None:
        self._strangers.pop(peer, None)
        self._changed.set()

    async def _close(self, admitting: asyncio.Task[None]) -> None:
        """Stops admitting, lets the server's last bytes out, and raises any error of the limiter."""
        admitting.cancel()
        for client in self._queue.leave_all():
            client.close()
        visits = [visit.task for visit in self._visits.values()]
        if visits:
            await asyncio.wait(visits, timeout=_LAST_WORDS_SECONDS)
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        with suppress(asyncio.CancelledError):
            await admitting
        if self._trouble:
            raise self._trouble


class _Visit:
    """A connection, and the timer that ends it."""

    def __init__(self, source: str, task: asyncio.Task[None]) -> None:
        self.source = source
        self.task = task
        self.calls = 0
        """Calls with an accepted token. Bots of one program may share a connection."""
        self.since = 0.0
        """When it came, or was last trusted."""
        self._loop = asyncio.get_running_loop()
        self.leave_within(PATIENCE_SECONDS)

    def leave_within(self, seconds: float) -> None:
        """Ends the connection after this many seconds, counted from now."""
        self.since = self._loop.time()
        self._timer = self._loop.call_later(seconds, self.task.cancel)

    def hurry(self) -> None:
        """Ends the connection after CROWDED_SECONDS, because others wait for its place."""
        self._timer.cancel()
        self._timer = self._loop.call_at(self.since + CROWDED_SECONDS, self.task.cancel)

    def stay(self) -> None:
        """Lets the connection stay."""
        self._timer.cancel()
