"""How the bots of a contest are kept apart, in one line."""

from bourre_referee.model.spec import Isolation, Level

_WHERE = {
    Level.NONE: "bots are plain processes, which can spy on one another",
    Level.BWRAP: "each bot has a box of its own",
    Level.CONTAINER: "each bot has a container of its own",
}


def isolation_in_words(isolation: Isolation) -> str:
    """The level, what it means, and what a bot may use there."""
    told = f"isolation {isolation.level}: {_WHERE[isolation.level]}"
    if isolation.level == Level.NONE:
        return told
    limits = isolation.limits
    return f"{told} ({limits.memory_mib} MiB, {limits.processes} processes, {limits.disk_mib} MiB of files)"
