"""Reads from bots' logs why they never started, which is the first line of such a log."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.sandbox.bot_log import LIMIT, NEVER_STARTED
from bourre_referee.storage.files.untrusted_files import open_regular
from bourre_referee.text.names import shorten

_LONGEST = 500
"""The most characters of a reason. The referee writes fewer."""


def start_failure_in(log: bytes) -> str:
    """Returns in one line why the bot of this log never started, with the fix; empty if it started."""
    line = log[: 4 * _LONGEST].decode(errors="replace").partition("\n")[0]
    return shorten(line.removeprefix(NEVER_STARTED), _LONGEST) if line.startswith(NEVER_STARTED) else ""


def read_start_failure(logs: Path, bot: str, room: str) -> str:
    """Returns why a bot never started in a room, from the folder of the logs; empty if it did or there is no log."""
    return start_failure_in(_read(logs, bot, room, 4 * _LONGEST))


def find_start_failure(logs: Path, bot: str) -> str:
    """Returns the first reason in the logs of a bot, room by room; empty if it started in every room."""
    return next(filter(None, (read_start_failure(logs, bot, room) for room in _rooms(logs, bot))), "")


def read_last_log(logs: Path, bot: str) -> str:
    """Returns the log of a bot's last room; empty if there is none."""
    return "".join(_read(logs, bot, room, 2 * LIMIT).decode(errors="replace") for room in _rooms(logs, bot)[-1:])


def _rooms(logs: Path, bot: str) -> list[str]:
    return sorted(file.stem for file in (logs / bot).glob("*.log")) if Path(bot).name == bot else []


def _read(logs: Path, bot: str, room: str, most: int) -> bytes:
    """Reads at most this many bytes of a log; none if the file does not exist, or if its path has links."""
    folder = logs / bot
    if Path(bot).name != bot or Path(room).name != room or logs.is_symlink() or folder.is_symlink():
        return b""
    try:
        with open_regular(folder / f"{room}.log") as file:
            return file.read(most)
    except (OSError, ContestError):
        return b""
