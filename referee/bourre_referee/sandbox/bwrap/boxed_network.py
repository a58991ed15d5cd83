"""What a box with a network contains besides: the socket of its proxy, and what carries connections there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bourre_referee.sandbox import network_forwarder
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind

_FORWARDER = f"/{Path(network_forwarder.__file__).name}"
_PROXIED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@dataclass(frozen=True, slots=True)
class BoxedNetwork:
    """The part of a box that its network needs."""

    command: tuple[str, ...] = ()
    """The words before the bot's command."""
    environment: Mapping[str, str] = field(default_factory=dict)
    content: tuple[Bind, ...] = ()


NO_NETWORK = BoxedNetwork()


def boxed_network(proxy: Path, python: str) -> BoxedNetwork:
    """Returns what leads to this socket; the forwarder runs under this Python of the box.

    The variables are those that libraries for the web look at; Node.js needs one more to do so.
    """
    address = f"http://127.0.0.1:{network_forwarder.PORT}"
    names = (*_PROXIED, *map(str.lower, _PROXIED))
    return BoxedNetwork(
        command=(python, "-IS", _FORWARDER),
        environment={**dict.fromkeys(names, address), "NODE_USE_ENV_PROXY": "1"},
        content=(Bind(proxy, network_forwarder.SOCKET), Bind(Path(network_forwarder.__file__), _FORWARDER)),
    )
