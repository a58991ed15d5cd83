"""What every level of isolation gives: a command to run, and what holds the bot beside its process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from bourre_referee.model.spec import Entry


@dataclass(frozen=True, slots=True)
class Credentials:
    """What lets a bot in: a socket of its own on this machine, and the token of its line."""

    socket: Path
    token: str


class InheritedFiles:
    """Contents that a process reads from open files: what is to stand in no command line and at no path."""

    def __init__(self) -> None:
        self._files: list[int] = []
        self._sign: BinaryIO | None = None

    @property
    def files(self) -> tuple[int, ...]:
        """The open files; a process that inherits them knows them by the same numbers."""
        return tuple(self._files)

    def add(self, content: bytes) -> int:
        """The number of a file that holds this, to be read from its beginning."""
        file = os.memfd_create("bourre")
        self._files.append(file)
        with os.fdopen(file, "wb", closefd=False) as writing:
            writing.write(content)
        os.lseek(file, 0, os.SEEK_SET)
        return file

    def add_sign(self) -> int:
        """The number of a file into which the first process says that it runs."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._files.append(writing)
        self._sign = os.fdopen(reading, "rb", buffering=0)
        return writing

    def take_sign(self) -> BinaryIO | None:
        """Where to read what the first process says once it runs, before the bot does; None at levels without it."""
        sign, self._sign = self._sign, None
        return sign

    def close(self) -> None:
        """Closes them; what was started meanwhile keeps its own."""
        if self._sign:
            self._sign.close()
        while self._files:
            os.close(self._files.pop())


class Hold(Protocol):
    """What holds the processes of one bot together, beside the process that was started."""

    def went_over(self) -> bool:
        """Whether the kernel ended a process of the bot because it took more than its share."""

    def release(self) -> None:
        """Ends whatever is left of the bot and removes the hold; call it once its process has ended."""


class Nothing:
    """No hold beside the process."""

    def went_over(self) -> bool:
        """Nobody counted."""
        return False

    def release(self) -> None:
        """There is nothing to remove."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How one bot is started."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    hold: Hold = field(default_factory=Nothing)
    over: tuple[int, ...] = ()
    """Exit statuses that at this level, too, mean that it took more than its share."""
    sign: bytes = b""
    """A byte that comes in the output once the bot is about to begin, at a level where no open file can tell that."""


class Launcher(Protocol):
    """Starts bots at one level of isolation."""

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """How to start this bot; `inherited` must be open until it runs. Raises OSError where the host cannot."""


def bot_environment(address: str, token: str) -> dict[str, str]:
    """The environment that a bot has at every level.

    The hash seed is fixed so that a Python bot that walks through a set does the same in a repeated match.
    """
    own = {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": token}
    return {**own, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "GRPC_VERBOSITY": "ERROR"}
