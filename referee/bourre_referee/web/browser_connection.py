"""One browser's connection: nobody keeps it by sending nothing, and no address takes the place of all others."""

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
"""What h11 calls a client of whose request something is still to come."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server grants its clients."""

    request_s: float = 10.0
    """From the first byte of a request to its last; for the first request from the moment of dialling."""
    take_s: float = 30.0
    """For a client to go on taking an answer."""
    connections: int = 1_000
    """At once."""
    of_one_address: int = 600
    """Of these: a class behind one router has one address, and each of its browsers a few connections."""


class Config(uvicorn.Config):
    """The settings of uvicorn, and those that it has not."""

    def __init__(self, app: ASGIApp, limits: Limits, **more: Any) -> None:
        # One more: room is made for whoever comes, and only where there is none are requests refused.
        super().__init__(app, **{**more, "http": Connection, "limit_concurrency": limits.connections + 1})
        self.limits = limits


class Deadline:
    """By when something has to have happened."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, missed: Callable[[], None]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._missed = missed
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """It runs from now on, unless it does already."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._missed)

    def end(self) -> None:
        """It has been met, or does not matter any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class Connection(H11Protocol):
    """Where there are too many, the one goes on which no answer has been given for longest: browsers dial again."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.origin = ""
        """Whose it is."""
        self.waits_since: float | None = self.loop.time()
        """None while an answer is given."""
        self._limits = config.limits
        self._request = Deadline(self.loop, config.limits.request_s, self.let_go)
        self._taking = Deadline(self.loop, config.limits.take_s, self.let_go)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has dialled."""
        super().connection_made(transport)
        self.origin = origin_of(self.client[0] if self.client else "")
        self._request.begin()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """A part of a request has come, or more than one."""
        self._request.begin()
        super().data_received(data)
        if str(self.conn.their_state) not in _NOT_WHOLE:
            self._request.end()
        if self.cycle is not None and not self.cycle.response_complete:
            self.waits_since = None

    def on_response_complete(self) -> None:
        """An answer has been given, and another request may have come meanwhile."""
        self.waits_since = self.loop.time()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self.waits_since = None

    def pause_writing(self) -> None:
        """The client takes nothing more for now."""
        super().pause_writing()
        self._taking.begin()

    def resume_writing(self) -> None:
        """It goes on."""
        super().resume_writing()
        self._taking.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self._request.end()
        self._taking.end()

    def let_go(self) -> None:
        """Ends it at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        own = [other for other in others if other.origin == self.origin]
        if len(own) >= self._limits.of_one_address and not _let_one_go(own):
            self.limit_concurrency = 0  # whatever is asked here is answered with 503
        elif len(others) >= self._limits.connections:
            _let_one_go(others)


def origin_of(address: str) -> str:
    """Whose address this is: of IPv6 its first 64 bits, for every household has the others to itself."""
    try:
        parsed = ip_address(address)
    except ValueError:  # no address of the internet
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def _let_one_go(connections: Sequence[Connection]) -> bool:
    """Ends the one that has waited longest; False where answers are given on all of them."""
    waiting = [(other.waits_since, place) for place, other in enumerate(connections) if other.waits_since is not None]
    if not waiting:
        return False
    _, place = min(waiting)
    connections[place].let_go()
    return True
