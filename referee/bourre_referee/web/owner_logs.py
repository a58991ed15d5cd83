"""Find and read what bots printed, for their owners."""

from __future__ import annotations

import stat
from collections.abc import Container, Sequence
from pathlib import Path

from bourre_referee.storage.folder_location import FolderLocation
from bourre_referee.storage.start_failures import read_start_failure
from bourre_referee.storage.untrusted_files import MIB, open_regular
from bourre_referee.text.names import printable

_LOOKED_AT = 5
LONGEST_LOG = MIB
"""The most bytes shown; a referee stores at most half of that."""


def rooms_with_logs(folder: Path | None, bot: str, finished: Container[str]) -> list[str]:
    """List the rooms with a log of this bot; unfinished matches are left out, because their logs could reveal cards."""
    if folder is None or Path(bot).name != bot:
        return []  # a run in a database has no logs here, nor has a bot whose name is no folder name
    logs = FolderLocation(folder).logs
    if logs.is_symlink() or (logs / bot).is_symlink():
        return []  # a link could lead to other logs
    files = (file for file in (logs / bot).glob("*.log") if stat.S_ISREG(file.lstat().st_mode))
    return sorted(file.stem for file in files if file.stem.partition(".")[0] in finished)


def read_log(folder: Path, bot: str, room: str) -> str:
    """Return what the bot printed in one of `rooms_with_logs`, with control characters escaped."""
    with open_regular(FolderLocation(folder).logs / bot / f"{room}.log") as file:
        text = file.read(LONGEST_LOG).decode("utf-8", "replace")
    return "".join(f"{_visible(line)}\n" for line in text.split("\n")).removesuffix("\n")


def last_start_failure(folder: Path | None, bot: str, rooms: Sequence[str]) -> str:
    """Return the newest of these rooms in which this bot never started, and why; only a few are looked at."""
    if folder is None:
        return ""
    looked_at = (
        (room, read_start_failure(FolderLocation(folder).logs, bot, room)) for room in reversed(rooms[-_LOOKED_AT:])
    )
    return next((f"{room}: {why}" for room, why in looked_at if why), "")


def _visible(line: str) -> str:
    return "\t".join(map(printable, line.split("\t")))
