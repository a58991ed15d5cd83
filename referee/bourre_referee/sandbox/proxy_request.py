"""Parses what a bot asks of its proxy: a tunnel (CONNECT), or one request to a plain HTTP server."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bourre_referee.model.network import Destination, parse_destination

_LINE = re.compile(r"([A-Z]{1,16}) ([!-~]+) HTTP/1\.[01]")
_URL = re.compile(r"http://([^/?#@]+)([/?][!-~]*)?")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*")
_OF_THIS_HOP = ("connection:", "keep-alive:", "proxy-")


class BadRequest(Exception):
    """The bot sent something that no proxy understands; the text is for its author."""


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """Where a bot wants to go."""

    destination: Destination
    head: bytes
    """What to send there first; empty for a tunnel."""


def parse_request(head: bytes) -> ProxyRequest:
    """Parses a request with its headers, up to and with the empty line; raises BadRequest.

    A plain request is passed on as the last of its connection, since the next may be for another server.
    """
    first, *headers = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None or not all(map(_HEADER.fullmatch, headers)):
        raise BadRequest("this is no HTTP request: send CONNECT host:port HTTP/1.1")
    method, target = line.groups()
    if method == "CONNECT":
        return ProxyRequest(_destination(target), b"")
    url = _URL.fullmatch(target)
    if url is None:
        raise BadRequest("send CONNECT host:port, or a request for an http:// URL")
    path = url[2] or "/"
    kept = [header for header in headers if not header.lower().startswith(_OF_THIS_HOP)]
    lines = [f"{method} {path if path[0] == '/' else f'/{path}'} HTTP/1.1", *kept, "Connection: close"]
    return ProxyRequest(
        _destination(_with_port(url[1])), "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1")
    )


def _with_port(authority: str) -> str:
    return authority if re.search(r":\d+$", authority.rpartition("]")[2]) else f"{authority}:80"


def _destination(text: str) -> Destination:
    try:
        return parse_destination(text)
    except ValueError as error:
        raise BadRequest(f"this is no destination: {error}") from error
