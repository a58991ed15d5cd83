"""The interface of a level of isolation: a command to run, and a hold on all processes of the bot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from bourre_referee.model.spec import BotEntry


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials of a bot: its own socket on this machine, and its token."""

    socket: Path
    token: str
    seed: str = ""
    """The seed of Python's `random` when the bot starts; empty means none."""
    proxy: Path | None = None
    """The socket of its proxy, if it is sandboxed with a network."""


class InheritedFiles:
    """Contents of inherited open files, for data that neither a command line nor a path may show."""

    def __init__(self) -> None:
        self._files: list[int] = []
        self._sign: BinaryIO | None = None

    @property
    def files(self) -> tuple[int, ...]:
        """The descriptors of the open files, which keep their numbers in a process that inherits them."""
        return tuple(self._files)

    def add(self, content: bytes) -> int:
        """Returns the descriptor of a new file with this content."""
        file = os.memfd_create("bourre")
        self._files.append(file)
        with os.fdopen(file, "wb", closefd=False) as writing:
            writing.write(content)
        os.lseek(file, 0, os.SEEK_SET)
        return file

    def add_sign(self) -> int:
        """Returns the descriptor of a pipe to which the supervisor writes once it runs."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._files.append(writing)
        self._sign = os.fdopen(reading, "rb", buffering=0)
        return writing

    def take_sign(self) -> BinaryIO | None:
        """Hands over the reading end of that pipe; None at levels without one."""
        sign, self._sign = self._sign, None
        return sign

    def close(self) -> None:
        """Closes the files. A process that inherited them keeps its own."""
        if self._sign:
            self._sign.close()
        while self._files:
            os.close(self._files.pop())


class Hold(Protocol):
    """A hold on all processes of one bot, in addition to the started process."""

    def went_over(self) -> bool:
        """Whether the kernel ended a process of the bot for exceeding a limit."""

    def release(self) -> None:
        """Ends all remaining processes of the bot, and removes the hold. Call it once the started process has ended."""


class NoHold:
    """The hold of a level that needs none."""

    def went_over(self) -> bool:
        """Returns False, because nothing is counted."""
        return False

    def release(self) -> None:
        """Does nothing."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The launch of one bot."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    hold: Hold = field(default_factory=NoHold)
    over: tuple[int, ...] = ()
    """Further exit statuses at this level for a bot that exceeded a limit."""
    sign: bytes = b""
    """A byte in the output that announces the bot, at a level without a pipe for that."""


class Launcher(Protocol):
    """Starts bots at one level of isolation."""

    def launch(self, entry: BotEntry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns the launch of this bot. Keep `inherited` open until it runs. Raises OSError if the host cannot."""


def own_variables(entry: BotEntry) -> dict[str, str]:
    """Returns the variables that only this bot gets. Raises OSError for one that is not set here."""
    for name in entry.environment:
        if name not in os.environ:
            raise OSError(
                f"{entry.name}: its variable {name} is not set in the environment of the referee.\n"
                "hint: set it, and run again"
            )
    return {name: os.environ[name] for name in entry.environment}


def bot_environment(address: str, token: str, seed: str) -> dict[str, str]:
    """Returns the environment variables that a bot gets at every level.

    The fixed hash seed makes iterations over a set in a Python bot repeatable. The fixed language makes text equal on
    every host. An aborted Python prints its stack.
    """
    own = {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": token, "BOURRE_SEED": seed, "LANG": "C.UTF-8"}
    python = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"}
    return {**own, **python, "GRPC_VERBOSITY": "ERROR"}
