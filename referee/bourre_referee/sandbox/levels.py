"""The one place where a level of isolation gets the launcher that keeps it, and the probe that tries it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bourre_referee.model.spec import Entry, Isolation, Level
from bourre_referee.sandbox import supervisor as lifeline
from bourre_referee.sandbox.bwrap import bwrap_probe as box
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.bwrap.bwrap_mounts import holder_of
from bourre_referee.sandbox.bwrap.host_system import system
from bourre_referee.sandbox.container import container_probe as container
from bourre_referee.sandbox.container.container_launcher import ContainerLauncher
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, Launcher, bot_environment

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""Of the referee's environment a bot is told where programs and the home are, and nothing else."""


class PlainLauncher:
    """Starts bots with nothing around them."""

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """The bot on a lifeline, in its folder."""
        assert entry.command is not None
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return Launch(
            command=(sys.executable, "-IS", lifeline.__file__, *entry.command),
            environment={**passed_on, **bot_environment(f"unix:{credentials.socket}", credentials.token)},
            folder=entry.folder,
        )


def launcher_of(isolation: Isolation) -> Launcher:
    """What starts bots at this level, never at a weaker one; raises OSError where the host has not what it takes."""
    match isolation.level:
        case Level.NONE:
            return PlainLauncher()
        case Level.BWRAP:
            return BoxLauncher.here(isolation.limits)
        case Level.CONTAINER:
            return ContainerLauncher.here(isolation)


def unavailable_reason(isolation: Isolation, entries: Sequence[Entry]) -> str | None:
    """Why these bots cannot be started at this level here, and the mend, by a real try; None when they can."""
    match isolation.level:
        case Level.NONE:
            return None
        case Level.BWRAP:
            return box.unavailable_reason(entries, isolation.limits)
        case Level.CONTAINER:
            return container.unavailable_reason(entries, isolation)


def opened(isolation: Isolation, folder: Path) -> Path | None:
    """The folder of the system by which bots at this level read this one of ours; None when they do not."""
    return holder_of(folder, system()) if isolation.level is Level.BWRAP else None
