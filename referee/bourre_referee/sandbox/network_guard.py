"""Decides what a bot with a network may reach: by name when it asks, and by address before it is dialled."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from bourre_referee.model.network import Destination, Network

Address = IPv4Address | IPv6Address

_UNICAST = IPv6Network("2000::/3")
"""All IPv6 addresses of the internet; those that hold an IPv4 address are outside, but for 6to4 and Teredo."""
_LOCAL = "localhost"


class Refused(Exception):
    """The bot asked for something that it may not reach; the text is for its author."""


def check_asked(network: Network, asked: Destination) -> None:
    """Raises Refused unless this destination is listed, or any public one is allowed."""
    if network.destinations and asked not in network.destinations:
        listed = ", ".join(map(str, network.destinations))
        raise Refused(f"{asked} is not in this bot's network: {listed}")


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
