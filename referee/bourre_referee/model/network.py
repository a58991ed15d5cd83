"""The destinations that a sandboxed bot may reach in addition to its referee."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address

HIGHEST_PORT = 65_535
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*")

_PORT = re.compile("[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Destination:
    """A host, by name or address, and one of its ports."""

    host: str
    """A name in lower case, or an address in the form of `ipaddress`."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Network:
    """The destinations that a bot may reach. An empty list means any public address of the internet."""

    destinations: tuple[Destination, ...] = ()

    @property
    def as_written(self) -> bool | tuple[str, ...]:
        """The network in a contest file: `true`, or a list."""
        return tuple(map(str, self.destinations)) or True


def parse_destination(text: str) -> Destination:
    """Parses `host:port`, with IPv6 addresses in brackets. Raises ValueError."""
    host, colon, port = text.lower().rpartition(":")
    if not colon or not _PORT.fullmatch(port) or not 1 <= int(port) <= HIGHEST_PORT:
        raise ValueError("must be host:port, such as api.example.org:443 or [2001:db8::1]:443")
    bracketed = host.startswith("[") and host.endswith("]")
    if address := _address(host[1:-1] if bracketed else host, bracketed):
        return Destination(address, int(port))
    name = host.removesuffix(".")
    if not _NAME.fullmatch(name):
        raise ValueError("must be one host, by its ASCII name or address (no patterns, no networks)")
    return Destination(name, int(port))


def _address(host: str, bracketed: bool) -> str | None:
    """Returns an IPv6 address from brackets, or an IPv4 address without any; None for other text."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return str(address) if bracketed == (address.version == 6) and "%" not in host else None
