"""Carries an admitted client's connection to the server's socket and back."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from pathlib import Path


async def carry(client: socket.socket, end: Path, behind: Path) -> None:
    """Carries a connection both ways until the server closes it, which follows the client's end.

    So gRPC and the limiter count the same connections. Raises OSError if the host fails.
    """
    loop = asyncio.get_running_loop()
    try:
        _, server = await loop.create_unix_connection(CarriedEnd, sock=await _dial(end, behind))
    except (ConnectionError, FileNotFoundError):  # the server is stopping
        return
    try:
        with suppress(OSError):  # the client may break it at any time
            _, stranger = await loop.create_connection(CarriedEnd, sock=client)
            server.join(stranger)
            await server.over.wait()
            stranger.transport.close()
            await stranger.gone.wait()  # it has read everything
    finally:
        server.abort()
        client.close()


class CarriedEnd(asyncio.Protocol):
    """One end of a carried connection. It passes bytes on no faster than the other end accepts them."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.over = asyncio.Event()
        """Set once this end sends nothing more."""
        self.gone = asyncio.Event()
        """Set once this end has received everything, or broke."""
        self._other: CarriedEnd | None = None
        self._early = b""
        """The bytes from before `join`: some versions of asyncio read although reading is paused."""

    def join(self, other: CarriedEnd) -> None:
        """Joins both ends, which then start to read."""
        self._other, other._other = other, self
        self._begin()
        other._begin()

    def _begin(self) -> None:
        assert self._other
        self._other.transport.write(self._early)
        if self.over.is_set():
            self._finish_other()
        self.transport.resume_reading()

    def abort(self) -> None:
        """Ends the connection both ways at once."""
        for end in filter(None, (self, self._other)):
            end.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        if self._other:
            self._other.transport.write(data)
        else:
            self._early += data

    def pause_writing(self) -> None:
        if self._other:
            self._other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._other and not self._other.over.is_set():
            self._other.transport.resume_reading()

    def eof_received(self) -> bool:
        self._end()
        return True

    def connection_lost(self, error: Exception | None) -> None:
        self.gone.set()
        self._end()

    def _end(self) -> None:
        if not self.over.is_set():
            self._finish_other()
        self.over.set()

    def _finish_other(self) -> None:
        if self._other:
            with suppress(OSError):  # the other end is gone
                self._other.transport.write_eof()


async def _dial(end: Path, behind: Path) -> socket.socket:
    """Connects to the server from a socket named `end`, and then unlinks that name."""
    named = socket.socket(socket.AF_UNIX)
    try:
        named.setblocking(False)
        named.bind(str(end))
        try:
            await asyncio.get_running_loop().sock_connect(named, str(behind))
        finally:
            end.unlink()
    except BaseException:
        named.close()
        raise
    return named
