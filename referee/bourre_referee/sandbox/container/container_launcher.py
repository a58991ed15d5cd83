"""The launcher of level `container`."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Isolation, Limits
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles
from bourre_referee.sandbox.container.container_command import SOCKET, ContainerSpec, command_inside, command_line
from bourre_referee.sandbox.container.container_engine import Engine, new_name
from bourre_referee.sandbox.container.container_probe import engine_for
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, bot_environment, own_variables
from bourre_referee.sandbox.private_copy import copy_once

_SIGN = b"\x06"
"""A byte that no engine prints."""


@dataclass(frozen=True, slots=True)
class ContainerLauncher:
    """Starts bots in containers of one image."""

    engine: Engine
    image: str
    limits: Limits
    copies: Path
    """The folder of private copies of bots' files for all rooms of a run."""

    @classmethod
    def here(cls, isolation: Isolation, copies: Path) -> ContainerLauncher:
        """Makes the launcher with an engine that passes the probe, and removes the containers of dead referees.

        Raises OSError with a hint if no engine passes.
        """
        engine = engine_for(isolation)
        assert isolation.image is not None
        engine.sweep()
        return cls(engine, isolation.image, isolation.limits, copies)

    def launch(self, entry: BotEntry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns the launch of the engine's client, which ends with the container. It has a copy of the files."""
        bot_files = SandboxFiles(entry)
        files = copy_once(entry, bot_files.binds(), self.copies)
        # The folder above is closed to other users. In the container another user connects.
        credentials.socket.chmod(0o666)
        own = bot_environment(f"unix:{SOCKET}", credentials.token, credentials.seed)
        environment = {**own_variables(entry), **own}
        spec = ContainerSpec(
            name=new_name(),
            image=self.image,
            files=files,
            socket=credentials.socket,
            folder=bot_files.folder,
            command=command_inside(entry, bot_files),
            variables=tuple(environment),
            sign=_SIGN,
        )
        return Launch(
            command=command_line(self.engine.path, spec, self.limits),
            environment={**self.engine.environment(), **environment},
            folder=Path("/"),
            hold=ContainerHold(self.engine, spec.name),
            over=(128 + signal.SIGKILL,),
            sign=_SIGN,
        )


@dataclass(frozen=True, slots=True)
class ContainerHold:
    """A running container and its engine."""

    engine: Engine
    name: str

    def went_over(self) -> bool:
        """Returns False, because the exit status tells: in a container only the kernel kills, for memory."""
        return False

    def release(self) -> None:
        """Removes the container if it outlived its client."""
        self.engine.remove(self.name)
