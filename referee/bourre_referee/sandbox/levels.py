"""Maps each level of isolation to its launcher and its probe."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Isolation, Level
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bwrap import bwrap_probe as box
from bourre_referee.sandbox.bwrap.box_contents import system
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.bwrap.bwrap_mounts import holder_of
from bourre_referee.sandbox.container import container_probe as container
from bourre_referee.sandbox.container.container_launcher import ContainerLauncher
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, Launcher, bot_environment, own_variables
from bourre_referee.sandbox.private_copy import in_private_copy

_PASSED_ON = ("PATH", "HOME", "TMPDIR")
"""The only variables of the referee's environment that every bot gets."""


@dataclass(frozen=True, slots=True)
class PlainLauncher:
    """Starts bots without isolation."""

    copies: Path
    """The folder of private copies of bots' files for all rooms of a run."""

    def launch(self, entry: BotEntry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns the launch of the bot in a copy of its files, with a supervisor."""
        entry = in_private_copy(entry, self.copies)
        assert entry.command is not None
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return Launch(
            command=(sys.executable, "-IS", supervisor.__file__, *entry.command),
            environment={
                **passed_on,
                **own_variables(entry),
                **bot_environment(f"unix:{credentials.socket}", credentials.token, credentials.seed),
            },
            folder=entry.folder / entry.own_folder,
        )


def launcher_of(isolation: Isolation, copies: Path) -> Launcher:
    """Returns the launcher of exactly this level, never of a weaker one. Raises OSError if the host cannot.

    It makes private copies of bots' files in `copies`, unless the level shows bots the original files.
    """
    match isolation.level:
        case Level.NONE:
            return PlainLauncher(copies)
        case Level.BWRAP:
            return BoxLauncher.here(isolation.limits)
        case Level.CONTAINER:
            return ContainerLauncher.here(isolation, copies)


def unavailable_reason(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
    """Returns why these bots cannot start at this level here, with a hint; None if they can."""
    match isolation.level:
        case Level.NONE:
            return None
        case Level.BWRAP:
            return box.unavailable_reason(entries, isolation.limits)
        case Level.CONTAINER:
            return container.unavailable_reason(entries, isolation)


def find_exposing_folder(isolation: Isolation, folder: Path) -> Path | None:
    """Returns the system folder that exposes this folder to bots at this level; None if none does."""
    return holder_of(folder, system()) if isolation.level is Level.BWRAP else None
