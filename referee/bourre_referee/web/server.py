"""Run the application on a socket, until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

import uvicorn
from starlette.types import ASGIApp

from bourre_referee.model.errors import ContestError
from bourre_referee.web.browser_connection import Config, Limits

GRANTED = Limits()
GRACE_S = 5
"""Seconds for unfinished answers when the server ends."""


def listening(host: str, port: int) -> socket.socket:
    """Open a listening socket; raises ContestError if it cannot."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(place[:2], family=family)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        mend = "give another with --port, or 0 for any free one; --host must be an address of this machine"
        raise ContestError(f"cannot listen on port {port} of {host} ({why}): {mend}") from error
    # Otherwise the last part of an answer waits 40 ms; asyncio prevents it only if a socket names its protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address(listener: socket.socket, host: str) -> str:
    """Return the address for a browser."""
    port = listener.getsockname()[1]
    return f"http://{'[' + host + ']' if _is_version_6(host) else host}:{port}/"


def serve(app: ASGIApp, listener: socket.socket, ending: Callable[[], None]) -> None:
    """Serve until SIGTERM, or SIGINT, which raises KeyboardInterrupt.

    `ending` is called before the server waits for its clients.
    """
    asyncio.run(server_of(app, ending).serve(sockets=[listener]))


def server_of(app: ASGIApp, ending: Callable[[], None], limits: Limits = GRANTED) -> uvicorn.Server:
    """Make the server without starting it; it logs only failures, because addresses may hold keys."""
    config = Config(
        app,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
        limits=limits,
    )
    return _Server(config, ending)


class _Server(uvicorn.Server):
    """Disconnects clients that listen for news, for which uvicorn would wait for ever."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the server."""
        self._ending()
        await super().shutdown(sockets)


def _is_version_6(host: str) -> bool:
    try:
        return isinstance(ip_address(host), IPv6Address)
    except ValueError:
        return False
