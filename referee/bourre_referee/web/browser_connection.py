"""Limit browsers' connections: close idle ones, and let no address take them all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

_INCOMPLETE = ("IDLE", "SEND_BODY")
"""The h11 states of a client whose request is incomplete."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server's clients."""

    request_s: float = 10.0
    """Seconds from the first byte of a request to its last; for the first request, counted from connecting."""
    stall_s: float = 30.0
    """Seconds that a client may stop reading an answer."""
    connections: int = 1_000
    """The most connections at once."""
    per_address: int = 600
    """The most from one address: a class behind one router shares an address, and each browser opens a few."""


class Config(uvicorn.Config):
    """Uvicorn's settings, plus the limits."""

    def __init__(self, app: ASGIApp, limits: Limits, **more: Any) -> None:
        # One more, because a new client replaces an idle one; requests are refused only if none is idle.
        super().__init__(app, **{**more, "http": Connection, "limit_concurrency": limits.connections + 1})
        self.limits = limits


class Deadline:
    """Calls `on_timeout` unless stopped in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, on_timeout: Callable[[], None]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._on_timeout = on_timeout
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start the deadline, unless it already runs."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._on_timeout)

    def stop(self) -> None:
        """Stop the deadline: it was met, or no longer matters."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class Connection(H11Protocol):
    """A connection with limits; if there are too many, the longest idle one is closed, and browsers reconnect."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.network = ""
        """The client's address, as the limits count it."""
        self.idle_since: float | None = self.loop.time()
        """When it became idle; None while a request is being answered."""
        self._limits = config.limits
        self._request = Deadline(self.loop, config.limits.request_s, self.drop)
        self._reading = Deadline(self.loop, config.limits.stall_s, self.drop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register a new connection."""
        super().connection_made(transport)
        self.network = client_network(self.client[0] if self.client else "")
        self._request.start()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Receive part of a request, or several requests."""
        self._request.start()
        super().data_received(data)
        if str(self.conn.their_state) not in _INCOMPLETE:
            self._request.stop()
        if self.cycle is not None and not self.cycle.response_complete:
            self.idle_since = None

    def on_response_complete(self) -> None:
        """Note that an answer is complete; the next request may have arrived already."""
        self.idle_since = self.loop.time()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self.idle_since = None

    def pause_writing(self) -> None:
        """Note that the client stopped reading."""
        super().pause_writing()
        self._reading.start()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        self._reading.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._request.stop()
        self._reading.stop()

    def drop(self) -> None:
        """Close the connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        own = [other for other in others if other.network == self.network]
        if len(own) >= self._limits.per_address and not _drop_longest_idle(own):
            self.limit_concurrency = 0  # every request here is answered with 503
        elif len(others) >= self._limits.connections:
            _drop_longest_idle(others)


def client_network(address: str) -> str:
    """Return the address that limits count; for IPv6 the first 64 bits, because one household owns the rest."""
    try:
        parsed = ip_address(address)
    except ValueError:  # not an IP address
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def _drop_longest_idle(connections: Sequence[Connection]) -> bool:
    """Close the longest idle connection; return False if all are being answered."""
    idle = [(other.idle_since, place) for place, other in enumerate(connections) if other.idle_since is not None]
    if not idle:
        return False
    _, place = min(idle)
    connections[place].drop()
    return True
