"""Posts a notice to a webhook: to a public address unless the host allows others, within seconds, without redirects."""

from __future__ import annotations

import socket
import ssl
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from threading import Timer
from urllib.parse import SplitResult, urlsplit

TIMEOUT_S = 5.0
"""The seconds for a connection, and for each part of an answer."""
DEADLINE_S = 10.0
"""The seconds for everything once connected, because a server may send byte by byte."""


class NotDelivered(Exception):
    """A notice did not arrive. `again` says whether a later try may succeed."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.again = again


def post(url: str, body: bytes, *, internal: bool) -> None:
    """Posts JSON. Raises NotDelivered, without the path of the address, which may be a secret."""
    parts = urlsplit(url)
    try:
        with closing(_connect(parts, internal)) as connected:
            _post(connected, parts, body)
    except (OSError, HTTPException) as error:
        raise NotDelivered(f"{parts.hostname}: {error or type(error).__name__}", again=True) from error


def _connect(parts: SplitResult, internal: bool) -> socket.socket:
    """Connects to an address that was checked, so that no second look-up can give another one."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not internal and not all(map(_is_public, found)):
        raise NotDelivered(f"{host} is in a private network, which needs --internal", again=False)
    connected = socket.create_connection((found[0], port), TIMEOUT_S)
    if parts.scheme == "http":
        return connected
    try:
        return ssl.create_default_context().wrap_socket(connected, server_hostname=host)
    except BaseException:
        connected.close()
        raise


def _is_public(found: str) -> bool:
    address = ip_address(found.partition("%")[0])
    return address.is_global and not address.is_multicast


def _post(connected: socket.socket, parts: SplitResult, body: bytes) -> None:
    deadline = Timer(DEADLINE_S, _hang_up, (connected,))
    deadline.daemon = True
    deadline.start()
    try:
        connection = HTTPConnection(parts.netloc, timeout=TIMEOUT_S)
        connection.sock = connected
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        connection.request("POST", path, body, {"Content-Type": "application/json", "User-Agent": "bourre"})
        status = connection.getresponse().status
    finally:
        deadline.cancel()
    if not 200 <= status < 300:
        raise NotDelivered(f"{parts.hostname} answers {status}", again=status >= 500 or status == 429)


def _hang_up(connected: socket.socket) -> None:
    with suppress(OSError):  # it has ended by itself
        connected.shutdown(socket.SHUT_RDWR)
