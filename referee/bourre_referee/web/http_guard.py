"""Adds headers to every answer, and refuses unknown host names."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::[0-9]{1,5})?", re.ASCII)
"""A name or an address, and a port. Anything else would become part of the requested address."""

HEAD = "bourre.head"
"""The key in a request's scope that marks a HEAD request."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Wraps the application: refuses unknown host names, adds headers to every answer, answers HEAD like GET."""

    app: ASGIApp
    names: Collection[str]
    """Host names of the server in lower case, besides IP addresses and `localhost`."""

    @classmethod
    def of(cls, app: ASGIApp, names: Collection[str]) -> Guard:
        """Guards an application whose server has these names, in any case."""
        return cls(app, frozenset(name.lower() for name in names))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        app = self.app if self._allows(Headers(scope=scope).get("host", "")) else _refusal()
        # The application sees a GET. The server still sees the HEAD, and leaves out the body.
        as_get = {**scope, "method": "GET", HEAD: True} if scope["method"] == "HEAD" else scope
        await app(as_get, receive, _with_headers(send))

    def _allows(self, host: str) -> bool:
        """Returns whether the host name is allowed. Otherwise, a site whose own name points here could read pages."""
        name = host_name(host)
        return name in self.names or name == "localhost" or _is_address(name)


def _refusal() -> PlainTextResponse:
    text = "This server does not know that host name. Its operator can add it with --allow-host.\n"
    return PlainTextResponse(text, status_code=421)


def host_name(host: str) -> str:
    """Returns the host in lower case, without its port and the brackets of IPv6. Empty if it is invalid."""
    found = _HOST.fullmatch(host.lower())
    return (found[1] or found[2].removesuffix(".")) if found else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
