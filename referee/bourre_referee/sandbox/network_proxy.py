"""The only way out of a sandbox with a network: a proxy on its own socket, which allows permitted destinations."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.network import Destination, Network
from bourre_referee.sandbox.network_guard import (
    BadRequest,
    ProxyRefusal,
    check_asked,
    may_dial,
    parse_address,
    parse_request,
)

Resolve = Callable[[Destination], Awaitable[Sequence[str]]]
"""Finds the addresses of a destination. Raises OSError if there are none."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_CHUNK = 64 * 1024
_MOST_NOTES = 20
_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_LAST = b"Connection: close\r\n"
"""Limits a plain connection to one request, because the next may be for another server."""


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """The limits of one bot's proxy. Above them the bot waits, without an effect on the referee."""

    connections: int = 32
    head_bytes: int = 16 * 1024
    head_seconds: float = 10.0
    """The time in which a bot must send its request."""
    dial_seconds: float = 15.0
    idle_seconds: float = 600.0
    """The longest silence of a connection in both directions."""
    bytes_per_second: float = 16 * 1024 * 1024
    seconds_per_chunk: float = 0.001
    seconds_per_connection: float = 0.01


class Unreachable(Exception):
    """A permitted destination does not answer. The text is for the bot's author."""


class ByteRate:
    """Limits a bot's rate, so that it cannot keep the referee's loop busy."""

    def __init__(self) -> None:
        self._free_at = 0.0

    async def spend(self, seconds: float) -> None:
        """Waits for earlier spending to pass, then for this."""
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now) + seconds
        await asyncio.sleep(self._free_at - now)


class NetworkProxy:
    """Serves one bot."""

    def __init__(
        self, network: Network, note: Callable[[str], None], resolve: Resolve, limits: ProxyLimits = ProxyLimits()
    ) -> None:
        self._network = network
        self._note = note
        self._resolve = resolve
        self._limits = limits
        self._pace = ByteRate()
        self._slots = asyncio.Semaphore(limits.connections)
        self._noted: set[str] = set()

    async def serve(self, listening: socket.socket) -> None:
        """Serves every connection to this socket, until it is cancelled. It accepts only as many as it serves."""
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as serving:
            while True:
                await self._slots.acquire()
                await self._pace.spend(self._limits.seconds_per_connection)
                try:
                    accepted, _ = await loop.sock_accept(listening)
                except OSError as error:  # no file is free
                    self._note_once(f"no network for now: {error.strerror}")
                    self._slots.release()
                    await self._pace.spend(1.0)
                    continue
                serving.create_task(self._serve(accepted)).add_done_callback(lambda _: self._slots.release())

    async def _serve(self, accepted: socket.socket) -> None:
        bot = await asyncio.open_unix_connection(sock=accepted, limit=self._limits.head_bytes)
        with closing(bot[1]):
            try:
                await self._carry(bot)
            except ProxyRefusal as error:
                await self._refuse(bot[1], "403 Forbidden", str(error))
            except BadRequest as error:
                await self._refuse(bot[1], "400 Bad Request", str(error))
            except Unreachable as error:
                await self._refuse(bot[1], "502 Bad Gateway", str(error))
            except (OSError, asyncio.IncompleteReadError):
                return  # one side hung up, or was silent for too long

    async def _carry(self, bot: Streams) -> None:
        try:
            async with asyncio.timeout(self._limits.head_seconds):
                head = await bot[0].readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise BadRequest(f"the request has more than {self._limits.head_bytes} bytes of headers") from None
        request = parse_request(head)
        check_asked(self._network, request.destination)
        there = await self._dial(request.destination)
        with closing(there[1]):
            await self._send(request.head or _ESTABLISHED, there[1] if request.head else bot[1])
            await self._exchange(bot, there, last_line=_LAST if request.head else b"")

    async def _dial(self, asked: Destination) -> Streams:
        """Connects to the first allowed address that answers. It never dials a name, which may change."""
        try:
            async with asyncio.timeout(self._limits.dial_seconds):
                found = [parse_address(text) for text in await self._resolve(asked)]
                allowed = [address for address in found if may_dial(self._network, asked, address)]
                if not allowed:
                    raise ProxyRefusal(
                        f"{asked} leads to an address that is not public: it must be listed as that address"
                    )
                return await self._connect([str(address) for address in allowed], asked.port)
        except OSError as error:  # a TimeoutError too
            raise Unreachable(f"{asked} cannot be reached: {error.strerror or 'no answer'}") from error

    async def _connect(self, addresses: Sequence[str], port: int) -> Streams:
        *others, last = addresses
        for address in others:
            try:
                return await asyncio.open_connection(address, port)
            except OSError:
                continue
        return await asyncio.open_connection(last, port)

    async def _exchange(self, bot: Streams, there: Streams, last_line: bytes) -> None:
        """Carries bytes both ways. It inserts `last_line` after the first line of the answer."""
        loop, seconds = asyncio.get_running_loop(), self._limits.idle_seconds
        async with asyncio.timeout(seconds) as silence:

            async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
                while chunk := await source.read(_CHUNK):
                    silence.reschedule(loop.time() + seconds)
                    await self._send(chunk, target)
                target.write_eof()

            async def answer() -> None:
                if last_line:
                    await self._send(await _first_line(there[0]) + last_line, bot[1])
                await carry(there[0], bot[1])

            both = [asyncio.create_task(carry(bot[0], there[1])), asyncio.create_task(answer())]
            with _ended(both):
                await asyncio.gather(*both)

    async def _send(self, chunk: bytes, target: asyncio.StreamWriter) -> None:
        await self._pace.spend(self._limits.seconds_per_chunk + len(chunk) / self._limits.bytes_per_second)
        target.write(chunk)
        await target.drain()

    async def _refuse(self, bot: asyncio.StreamWriter, status: str, text: str) -> None:
        self._note_once(f"network: {text}")
        body = f"bourre: {text}\n".encode()
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        try:
            await self._send(head.encode() + body, bot)
        except OSError:
            return  # it hung up

    def _note_once(self, text: str) -> None:
        if text not in self._noted and len(self._noted) < _MOST_NOTES:
            self._noted.add(text)
            self._note(text)


async def _first_line(answer: asyncio.StreamReader) -> bytes:
    try:
        return await answer.readuntil(b"\r\n")
    except asyncio.LimitOverrunError:
        raise Unreachable("the server's answer is not HTTP") from None


@contextmanager
def _ended(tasks: Sequence[asyncio.Task[None]]) -> Iterator[None]:
    """Cancels what is left of these tasks when the first fails."""
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


@asynccontextmanager
async def serve_proxy(network: Network, path: Path, note: Callable[[str], None]) -> AsyncIterator[None]:
    """Serves a bot's proxy on a new socket at this path. `note` gets each different line for the bot's author once."""
    resolvers = ThreadPoolExecutor(2, "resolver")  # slow names delay no other bot
    with socket.socket(socket.AF_UNIX) as listening:
        listening.setblocking(False)
        listening.bind(str(path))
        listening.listen()
        proxy = NetworkProxy(network, note, lambda asked: _look_up(asked, resolvers))
        serving = asyncio.create_task(proxy.serve(listening))
        try:
            yield
        finally:
            resolvers.shutdown(wait=False, cancel_futures=True)
            serving.cancel()
            await asyncio.wait([serving])
            if not serving.cancelled():
                serving.result()


async def _look_up(asked: Destination, resolvers: ThreadPoolExecutor) -> Sequence[str]:
    found = await asyncio.get_running_loop().run_in_executor(
        resolvers, lambda: socket.getaddrinfo(asked.host, asked.port, type=socket.SOCK_STREAM)
    )
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
