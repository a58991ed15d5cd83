"""Run the application on a socket until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

import uvicorn
from starlette.types import ASGIApp

from bourre_referee.model.errors import ContestError
from bourre_referee.web.browser_connection import Config, Limits

DEFAULT_LIMITS = Limits()
GRACE_S = 5
"""Seconds for unfinished answers when the server shuts down."""


def open_listener(host: str, port: int) -> socket.socket:
    """Open a listening socket; raises ContestError if that fails."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        hint = "give another with --port, or 0 for any free one; --host must be an address of this machine"
        raise ContestError(f"cannot listen on port {port} of {host} ({why}): {hint}") from error
    # Without this, the last part of an answer waits 40 ms; asyncio sets it only for sockets that name their protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def listener_url(listener: socket.socket, host: str) -> str:
    """Return the address to open in a browser."""
    port = listener.getsockname()[1]
    return f"http://{'[' + host + ']' if _is_ipv6(host) else host}:{port}/"


def serve(app: ASGIApp, listener: socket.socket, on_shutdown: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; the latter raises KeyboardInterrupt.

    Calls `on_shutdown` before it waits for its clients.
    """
    asyncio.run(make_server(app, on_shutdown).serve(sockets=[listener]))


def make_server(app: ASGIApp, on_shutdown: Callable[[], None], limits: Limits = DEFAULT_LIMITS) -> uvicorn.Server:
    """Make the server without starting it; it logs only failures, because addresses may contain keys."""
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
    return _Server(config, on_shutdown)


class _Server(uvicorn.Server):
    """Disconnects clients of `/live`, for which uvicorn would wait forever."""

    def __init__(self, config: uvicorn.Config, on_shutdown: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_shutdown = on_shutdown

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Call `on_shutdown`, then shut down."""
        self._on_shutdown()
        await super().shutdown(sockets)


def _is_ipv6(host: str) -> bool:
    try:
        return isinstance(ip_address(host), IPv6Address)
    except ValueError:
        return False
