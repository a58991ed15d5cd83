"""What a listener is asked to do: where it listens, for which bots, and what opens it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from bourre_referee.model.spec import Clock, PlacedRoom, RoomSpec

LOOPBACK = "127.0.0.1:0"
"""The address of a contest without a section [listen]: only this machine, at any free port."""


AWAY_SECONDS = 5.0
"""How long a ladder's room waits for a remote bot that is away when it is to begin."""
RETURN_SECONDS = 20.0
"""How long after a listener has opened its rooms wait at least: bots need time to find it."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The PEM files with which a listener proves its name; with `client_ca`, bots must prove theirs too."""

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
    """The content of these files at one time."""

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
        """Returns the same place with this port."""
        return replace(self, address=f"{self.address.rpartition(':')[0]}:{port}")


@dataclass(frozen=True, slots=True)
class ListenerSpec:
    """One listener: all remote bots of a contest or ladder connect there, and stay until its end."""

    contest: str
    bots: tuple[str, ...]
    clock: Clock
    listen: Listen
    tokens: Path
    """The file that says which token opens the line of which bot (`storage.tokens`)."""
    most_bots: int | None = None
    """On a ladder, how many bots may have a line: each in the file of tokens, as it changes, has one."""
    versioned: bool = False
    """Whether rooms name versions of bots (`alice.2`), which play on the line of the bot (`alice`)."""
    patience_s: float = 0.0
    """How many seconds to wait for an address that is taken: a listener ends seconds after a parent that was killed."""

    @property
    def is_ladder(self) -> bool:
        """Whether rooms whose bots are away are given back; those of a contest wait for them."""
        return self.most_bots is not None

    def line_of(self, entry: str) -> str:
        """Returns the bot whose line an entry of a room plays on."""
        return entry.partition(".")[0] if self.versioned else entry

    def lines(self, room: RoomSpec) -> tuple[str, ...]:
        """Returns the bots whose lines a room takes."""
        return tuple(map(self.line_of, remote_bots(room)))


def remote_bots(room: RoomSpec | PlacedRoom) -> tuple[str, ...]:
    """Returns the bots of a room that their authors start."""
    return tuple(entry.name for entry in room.entries if entry.command is None)


def hash_token(token: str) -> str:
    """Returns the SHA-256 of a token in hexadecimal, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()
