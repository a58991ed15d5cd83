"""Reads what a bot with a network asks of its proxy, and decides what it may reach, by name and by address."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from bourre_referee.model.network import Destination, Network, parse_destination

Address = IPv4Address | IPv6Address

_UNICAST = IPv6Network("2000::/3")
"""All IPv6 addresses of the internet; those that hold an IPv4 address are outside, but for 6to4 and Teredo."""
_LOCAL = "localhost"


class ProxyRefusal(Exception):
    """The bot asked for something that it may not reach; the text is for its author."""


def check_asked(network: Network, asked: Destination) -> None:
    """Raises ProxyRefusal unless this destination is listed, or any public one is allowed."""
    if network.destinations and asked not in network.destinations:
        listed = ", ".join(map(str, network.destinations))
        raise ProxyRefusal(f"{asked} is not in this bot's network: {listed}")


def is_own(address: Address) -> bool:
    """Whether this address is one of this machine's, where the referee listens: only those can be bound."""
    with socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as trying:
        try:
            trying.bind((str(address), 0))
        except OSError:
            return False
        return True


def is_public(address: Address) -> bool:
    """Whether this is an address of one host on the internet, and of no network that a machine has to itself."""
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    if isinstance(address, IPv4Address):
        return True
    return address in _UNICAST and address.sixtofour is None and address.teredo is None


def may_dial(
    network: Network, asked: Destination, address: Address, is_own: Callable[[Address], bool] = is_own
) -> bool:
    """Whether the address to which an allowed destination resolved may be dialled.

    A name may lead only to public addresses that are not this machine's, whatever its owner lets it resolve to. Any
    other address must be listed as such; `localhost`, if listed, is this machine.
    """
    if asked in network.destinations:
        if asked.host == _LOCAL:
            return address.is_loopback
        if asked.host == str(address):
            return True
    return is_public(address) and not is_own(address)


def parse_address(text: str) -> Address:
    """Parses an address as resolvers return it, without the scope that link-local ones have."""
    return ip_address(text.partition("%")[0])


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
