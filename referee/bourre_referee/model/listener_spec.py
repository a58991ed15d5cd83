"""The specification of a listener: its address, its bots and its tokens."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from bourre_referee.model.spec import Clock, PlacedRoom, RoomSpec

LOOPBACK = "127.0.0.1:0"
"""The address of a contest without a section [listen]: any free port, reachable from this machine only."""


AWAY_SECONDS = 5.0
"""The time for which a ladder's room waits for a remote bot that is away at its start."""
RETURN_SECONDS = 40.0
"""The shortest wait of rooms after a listener has opened, because bots need time to reconnect."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The PEM files of a listener. With `client_ca`, bots need certificates too."""

    cert: Path
    key: Path
    client_ca: Path | None = None

    @property
    def by_name(self) -> dict[str, Path]:
        """The files by their keys in the section [listen]."""
        files = {"tls_cert": self.cert, "tls_key": self.key, "client_ca": self.client_ca}
        return {name: path for name, path in files.items() if path}


@dataclass(frozen=True, slots=True)
class Pems:
    """The content of these files."""

    cert: bytes
    key: bytes
    client_ca: bytes | None = None


@dataclass(frozen=True, slots=True)
class Listen:
    """Where remote bots connect."""

    address: str = LOOPBACK
    """`host:port`"""
    tls: TlsFiles | None = None

    @property
    def port(self) -> int:
        """The port; 0 means any free one."""
        return int(self.address.rpartition(":")[2])

    def at_port(self, port: int) -> Listen:
        """Returns the same address with this port."""
        return replace(self, address=f"{self.address.rpartition(':')[0]}:{port}")


@dataclass(frozen=True, slots=True)
class ListenerSpec:
    """One listener. All remote bots of a contest or ladder connect there, and stay until its end."""

    contest: str
    bots: tuple[str, ...]
    clock: Clock
    listen: Listen
    tokens: Path
    """The file with the hash of each bot's token (`storage.run.tokens`)."""
    most_bots: int | None = None
    """On a ladder, the most bots with a session. Each bot in the file of tokens has one, even as it changes."""
    versioned: bool = False
    """Whether rooms name versions of bots (`alice.2`), which use the session of the bot (`alice`)."""
    patience_s: float = 0.0
    """The seconds to wait for an address that is taken: a listener ends some seconds after a killed parent."""

    @property
    def is_ladder(self) -> bool:
        """Whether rooms with absent bots are given back. A contest's rooms wait for them."""
        return self.most_bots is not None

    def line_of(self, entry: str) -> str:
        """Returns the bot whose session an entry of a room uses."""
        return entry.partition(".")[0] if self.versioned else entry

    def lines(self, room: RoomSpec) -> tuple[str, ...]:
        """Returns the remote bots of a room."""
        return tuple(map(self.line_of, remote_bots(room)))


def remote_bots(room: RoomSpec | PlacedRoom) -> tuple[str, ...]:
    """Returns the remote bots of a room."""
    return tuple(entry.name for entry in room.entries if entry.command is None)


def hash_token(token: str) -> str:
    """Returns the SHA-256 of a token in hexadecimal. Only this hash is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
