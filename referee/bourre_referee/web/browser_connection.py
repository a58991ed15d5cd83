"""One browser's connection: idle ones are closed, and no address may take all connections."""

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

_NOT_WHOLE = ("IDLE", "SEND_BODY")
"""The h11 states of a client whose request is incomplete."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server's clients."""

    request_s: float = 10.0
    """Seconds from the first byte of a request to its last; for the first request from the connection on."""
    take_s: float = 30.0
    """Seconds for a client to continue reading an answer."""
    connections: int = 1_000
    """At once."""
    of_one_address: int = 600
    """Of these: a class behind one router has one address, and each of its browsers a few connections."""


class Config(uvicorn.Config):
    """Uvicorn's settings, and some that it lacks."""

    def __init__(self, app: ASGIApp, limits: Limits, **more: Any) -> None:
        # One more: a new client gets the place of an idle one; requests are refused only if there is none.
        super().__init__(app, **{**more, "http": Connection, "limit_concurrency": limits.connections + 1})
        self.limits = limits


class Deadline:
    """A deadline for some event."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, missed: Callable[[], None]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._missed = missed
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the deadline, unless it already runs."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._missed)

    def end(self) -> None:
        """Stop the deadline: it was met, or no longer matters."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class Connection(H11Protocol):
    """A connection with limits; if there are too many, the longest idle one is closed, and browsers reconnect."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.origin = ""
        """The client's address, as limits count it."""
        self.waits_since: float | None = self.loop.time()
        """Since when it is idle; None while it is answered."""
        self._limits = config.limits
        self._request = Deadline(self.loop, config.limits.request_s, self.let_go)
        self._taking = Deadline(self.loop, config.limits.take_s, self.let_go)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection."""
        super().connection_made(transport)
        self.origin = origin_of(self.client[0] if self.client else "")
        self._request.begin()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, or several."""
        self._request.begin()
        super().data_received(data)
        if str(self.conn.their_state) not in _NOT_WHOLE:
            self._request.end()
        if self.cycle is not None and not self.cycle.response_complete:
            self.waits_since = None

    def on_response_complete(self) -> None:
        """Note that an answer is complete; the next request may already be here."""
        self.waits_since = self.loop.time()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self.waits_since = None

    def pause_writing(self) -> None:
        """Note that the client stopped reading."""
        super().pause_writing()
        self._taking.begin()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        self._taking.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._request.end()
        self._taking.end()

    def let_go(self) -> None:
        """Close it at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        own = [other for other in others if other.origin == self.origin]
        if len(own) >= self._limits.of_one_address and not _let_one_go(own):
            self.limit_concurrency = 0  # every request here is answered with 503
        elif len(others) >= self._limits.connections:
            _let_one_go(others)


def origin_of(address: str) -> str:
    """Return the address that limits count; of IPv6 the first 64 bits, because a household owns all others."""
    try:
        parsed = ip_address(address)
    except ValueError:  # not an IP address
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def _let_one_go(connections: Sequence[Connection]) -> bool:
    """Close the longest idle connection; return False if all are being answered."""
    waiting = [(other.waits_since, place) for place, other in enumerate(connections) if other.waits_since is not None]
    if not waiting:
        return False
    _, place = min(waiting)
    connections[place].let_go()
    return True
