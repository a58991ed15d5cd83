"""Reads back from bots' logs why they never started: the one diagnosis is the first line of a log."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.sandbox.bot_log import NEVER_STARTED
from bourre_referee.storage.untrusted_files import open_regular
from bourre_referee.text.names import shorten

_LONGEST = 500
"""The most characters of a reason; the referee writes fewer."""


def start_failure_in(log: bytes) -> str:
    """Returns why the bot of this log never started, and what mends it, in one line; empty if it started."""
    line = log[: 4 * _LONGEST].decode(errors="replace").partition("\n")[0]
    return shorten(line.removeprefix(NEVER_STARTED), _LONGEST) if line.startswith(NEVER_STARTED) else ""


def read_start_failure(logs: Path, bot: str, room: str) -> str:
    """Returns why a bot never started in a room, from the folder of the logs; empty if it did or there is no log."""
    folder = logs / bot
    if Path(bot).name != bot or Path(room).name != room or logs.is_symlink() or folder.is_symlink():
        return ""  # a link could lead to other logs
    try:
        with open_regular(folder / f"{room}.log") as file:
            return start_failure_in(file.read(4 * _LONGEST))
    except (OSError, ContestError):
        return ""


def find_start_failure(logs: Path, bot: str) -> str:
    """Returns the first reason in the logs of a bot, room after room; empty if it started in each of them."""
    folder = logs / bot
    rooms = sorted(file.stem for file in folder.glob("*.log")) if Path(bot).name == bot else []
    return next(filter(None, (read_start_failure(logs, bot, room) for room in rooms)), "")
