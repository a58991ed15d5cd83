"""Runs the application on a socket until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from bourre_referee.model.errors import ContestError
from bourre_referee.text.log_format import LogFormat, LogKind

_INCOMPLETE = ("IDLE", "SEND_BODY")
"""The h11 states of a client whose request is incomplete."""


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The limits of a server's clients."""

    request_s: float = 10.0
    """Seconds from the first byte of a request to its last. For the first request, they count from the connection."""
    stall_s: float = 30.0
    """Seconds that a client may stop reading an answer."""
    connections: int = 1_000
    """The most connections at once."""
    per_address: int = 600
    """The most from one address. A class behind one router shares an address, and each browser opens a few."""


class Config(uvicorn.Config):
    """Uvicorn's settings, plus the limits."""

    def __init__(self, app: ASGIApp, limits: HttpLimits, **more: Any) -> None:
        # One more, because a new client replaces an idle one. Requests are refused only if none is idle.
        super().__init__(app, **{**more, "http": HttpConnection, "limit_concurrency": limits.connections + 1})
        self.limits = limits


class Deadline:
    """Calls `on_timeout` unless stopped in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, on_timeout: Callable[[], None]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._on_timeout = on_timeout
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Starts the deadline, unless it already runs."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._on_timeout)

    def stop(self) -> None:
        """Stops the deadline, because it was met or no longer matters."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class HttpConnection(H11Protocol):
    """A connection with limits. If there are too many, the longest idle one is closed, and browsers reconnect."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.network = ""
        """The client's address, as the limits count it."""
        self.idle_since: float | None = self.loop.time()
        """The time when it became idle. None while a request is being answered."""
        self._limits = config.limits
        self._request = Deadline(self.loop, config.limits.request_s, self.drop)
        self._reading = Deadline(self.loop, config.limits.stall_s, self.drop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Registers a new connection."""
        super().connection_made(transport)
        self.network = client_network(self.client[0] if self.client else "")
        self._request.start()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Receives part of a request, or several requests."""
        self._request.start()
        super().data_received(data)
        if str(self.conn.their_state) not in _INCOMPLETE:
            self._request.stop()
        if self.cycle is not None and not self.cycle.response_complete:
            self.idle_since = None

    def on_response_complete(self) -> None:
        """Notes that an answer is complete. The next request may have arrived already."""
        self.idle_since = self.loop.time()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self.idle_since = None

    def pause_writing(self) -> None:
        """Notes that the client stopped reading."""
        super().pause_writing()
        self._reading.start()

    def resume_writing(self) -> None:
        """Notes that the client reads again."""
        super().resume_writing()
        self._reading.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        super().connection_lost(exc)
        self._request.stop()
        self._reading.stop()

    def drop(self) -> None:
        """Closes the connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        others = [other for other in self.connections if isinstance(other, HttpConnection) and other is not self]
        own = [other for other in others if other.network == self.network]
        if len(own) >= self._limits.per_address and not _drop_longest_idle(own):
            self.limit_concurrency = 0  # every request here is answered with 503
        elif len(others) >= self._limits.connections:
            _drop_longest_idle(others)


def client_network(address: str) -> str:
    """Returns the address that limits count. For IPv6, it is the first 64 bits, because one household owns the rest."""
    try:
        parsed = ip_address(address)
    except ValueError:  # not an IP address
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def _drop_longest_idle(connections: Sequence[HttpConnection]) -> bool:
    """Closes the longest idle connection. Returns False if all are being answered."""
    idle = [(other.idle_since, place) for place, other in enumerate(connections) if other.idle_since is not None]
    if not idle:
        return False
    _, place = min(idle)
    connections[place].drop()
    return True


DEFAULT_LIMITS = HttpLimits()
GRACE_S = 5
"""Seconds for unfinished answers when the server shuts down."""


def open_listener(host: str, port: int) -> socket.socket:
    """Opens a listening socket. Raises ContestError if that fails."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        hint = "pass another port with --port, or an address of this machine with --host"
        raise ContestError(f"Cannot listen on port {port} of {host} ({why}).\nhint: {hint}") from error
    # Without this, the last part of an answer waits 40 ms. asyncio sets it only for sockets that name their protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def listener_url(listener: socket.socket, host: str) -> str:
    """Returns the address to open in a browser."""
    port = listener.getsockname()[1]
    return f"http://{'[' + host + ']' if _is_ipv6(host) else host}:{port}/"


@dataclass(frozen=True, slots=True)
class ServerLog:
    """What a server logs on standard error."""

    kind: LogKind = "text"
    requests: bool = False
    """Whether each request has a line, besides the failures."""

    def set_up(self) -> None:
        """Sets up the loggers of uvicorn, which has made the server."""
        handler = logging.StreamHandler()
        handler.setFormatter(LogFormat(self.kind))
        for name, level in (("uvicorn.error", logging.ERROR), ("uvicorn.access", logging.INFO)):
            logger = logging.getLogger(name)
            logger.setLevel(level)
            logger.handlers = [handler] if self.requests or name != "uvicorn.access" else []
            logger.propagate = False


DEFAULT_LOG = ServerLog()


def serve(app: ASGIApp, listener: socket.socket, on_shutdown: Callable[[], None], log: ServerLog = DEFAULT_LOG) -> None:
    """Serves until SIGTERM or SIGINT. SIGINT raises KeyboardInterrupt.

    Calls `on_shutdown` before it waits for its clients.
    """
    server = make_server(app, on_shutdown)
    log.set_up()
    # Uvicorn raises SIGTERM again at its end, which would kill this process.
    before = signal.signal(signal.SIGTERM, lambda number, frame: setattr(server, "should_exit", True))
    try:
        asyncio.run(server.serve(sockets=[listener]))
    finally:
        signal.signal(signal.SIGTERM, before)


def make_server(app: ASGIApp, on_shutdown: Callable[[], None], limits: HttpLimits = DEFAULT_LIMITS) -> uvicorn.Server:
    """Returns the server without starting it. It logs only failures, unless a `ServerLog` is set up later."""
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
        """Calls `on_shutdown`, then shuts down."""
        self._on_shutdown()
        await super().shutdown(sockets)


def _is_ipv6(host: str) -> bool:
    try:
        return isinstance(ip_address(host), IPv6Address)
    except ValueError:
        return False
