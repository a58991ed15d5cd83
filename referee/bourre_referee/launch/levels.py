"""The one place where a level of isolation gets the launcher that keeps it."""

from __future__ import annotations

from bourre_referee.launch.box.launcher import BoxLauncher
from bourre_referee.launch.launch import Launcher
from bourre_referee.launch.plain import PlainLauncher
from bourre_referee.spec import Isolation, Level


def launcher_of(isolation: Isolation) -> Launcher:
    """What starts bots at this level, never at a weaker one; raises OSError where the host has not what it takes."""
    match isolation.level:
        case Level.NONE:
            return PlainLauncher()
        case Level.BWRAP:
            return BoxLauncher.here(isolation.limits)
        case Level.CONTAINER:
            raise OSError("level container is not built yet")
