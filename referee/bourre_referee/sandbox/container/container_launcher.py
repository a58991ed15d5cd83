"""The launcher of level `container`."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import Entry, Isolation, Limits
from bourre_referee.sandbox.bwrap.bwrap_bot_files import Belongings
from bourre_referee.sandbox.container.container_command import SOCKET, Cell, command_inside, command_line
from bourre_referee.sandbox.container.container_engine import Engine, new_name
from bourre_referee.sandbox.container.container_probe import engine_for, pack
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, bot_environment

_SIGN = b"\x06"
"""No engine prints it."""


@dataclass(frozen=True, slots=True)
class ContainerLauncher:
    """Starts bots in containers of one image."""

    engine: Engine
    image: str
    limits: Limits

    @classmethod
    def here(cls, isolation: Isolation) -> ContainerLauncher:
        """By an engine that passed the probe, containers of dead referees swept away; raises OSError with the mend."""
        engine = engine_for(isolation)
        assert isolation.image is not None
        engine.sweep()
        return cls(engine, isolation.image, isolation.limits)

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """The engine's client, which stays until the container ends; the bot's files are copied beside its socket."""
        belongings = Belongings(entry)
        files = credentials.socket.with_name(f"{credentials.socket.name}-files")
        pack(belongings, files)
        credentials.socket.chmod(
            0o666
        )  # the folder above is closed to everybody else; in the container another user dials
        environment = bot_environment(f"unix:{SOCKET}", credentials.token)
        command = command_inside(entry, belongings)
        cell = Cell(
            new_name(), self.image, files, credentials.socket, belongings.folder, command, tuple(environment), _SIGN
        )
        return Launch(
            command=command_line(self.engine.path, cell, self.limits),
            environment={**self.engine.environment(), **environment},
            folder=Path("/"),
            hold=Held(self.engine, cell.name),
            over=(128 + signal.SIGKILL,),
            sign=_SIGN,
        )


@dataclass(frozen=True, slots=True)
class Held:
    """A container, by the engine that runs it."""

    engine: Engine
    name: str

    def went_over(self) -> bool:
        """Its exit status tells: in there nobody but the kernel kills, for memory."""
        return False

    def release(self) -> None:
        """Ends it, should it have outlived its client."""
        self.engine.remove(self.name)
