"""The commands of `bourre` as a newcomer meets them: sections, the first screen, and the names of the last release."""

from __future__ import annotations

FIRST_SCREEN = {
    "Play": ("play", "rules"),
    "Write a bot": ("new", "practice", "check", "compare"),
    "Run a contest": ("run", "standings", "replay", "view"),
    "More": ("grade", "ladder"),
}
"""What `bourre --help` shows: the commands that a newcomer needs first."""

SECTIONS = {
    "Play": ("play", "rules", "rules legal", "rules settle"),
    "Write a bot": ("new", "practice", "check", "compare", "debug", "review"),
    "Run a contest": (
        *("run", "standings", "stats", "replay", "view"),
        *("verify", "annul", "export", "copy", "tokens"),
    ),
    "Grade a class": ("grade",),
    "Check this machine": ("doctor",),
}
"""What `bourre help` shows, before the ladder."""

LADDER_SECTIONS = {
    "Run it": ("init", "start", "status", "log", "verify", "restore"),
    "Bots and their owners": (
        *("add", "token", "key", "pause", "resume"),
        *("retire", "suspend", "reinstate", "copies"),
    ),
    "Seasons and results": ("season", "freeze", "annul"),
}

FORMER_COMMANDS = {
    "bench": "benchmark",
    "import": "copy",
    "invite": "tokens",
    "plot": "export --format plots",
    "puzzle": "play --puzzle",
    "rate": "stats --ratings",
    "repro": "debug",
    "schedule": "run --plan",
    "serve": "view",
    "void": "annul",
}
"""Names of the last release, and the words that replace them."""

FORMER_LADDER_COMMANDS = {"bench": "suspend", "new": "init", "serve": "start", "void": "annul"}
"""The same for `bourre ladder`."""
