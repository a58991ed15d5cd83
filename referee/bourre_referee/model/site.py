"""The place of rooms on one machine: the bots' files, its Python, and a folder for logs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import BotEntry, BotSpec, PlacedRoom, RoomSpec


@dataclass(frozen=True, slots=True)
class Site:
    """The paths that a machine adds to a room to play it."""

    files: Path
    """The folder of the contest or ladder, or of its fetched files."""
    logs: Path
    """The folder of the bots' logs: `<logs>/<bot>/<room>.log`."""
    python: str = sys.executable
    """The interpreter for `python` in a command."""
    copies: Path | None = None
    """The folder of private copies of the bots' files, while a run plays."""
    public: Path | None = None
    """The folder for the public events of rooms in play; None if nobody may watch."""
    is_fetched: bool = False
    """Whether the files were fetched. Then a bot's files are in a folder named by their SHA-256."""

    def place(self, spec: RoomSpec) -> PlacedRoom:
        """Returns the room with the paths of this machine."""
        return PlacedRoom(
            room=spec.room,
            matches=spec.matches,
            tables=spec.tables,
            clock=spec.clock,
            max_faults=spec.max_faults,
            isolation=spec.isolation,
            restarts=spec.restarts,
            absent=spec.absent,
            capped=spec.capped,
            entries=tuple(map(self.entry, spec.entries)),
            logs=self.logs,
            python=self.python,
            copies=self.copies,
            public=self.public,
        )

    def folder_of(self, bot: BotSpec) -> Path:
        """Returns the folder for the relative paths of a bot."""
        return self.files / (bot.sha256 if self.is_fetched else bot.folder)

    def entry(self, bot: BotSpec) -> BotEntry:
        """Returns how this machine starts a bot."""
        folder = self.folder_of(bot)
        venv = folder / bot.venv if bot.venv else None
        own = own_folder(bot.command, folder) if bot.command else ""
        return BotEntry(
            name=bot.name,
            command=self._command(bot.command, folder, venv, own) if bot.command else None,
            folder=folder,
            files=bot.files,
            venv=venv,
            isolation=bot.isolation,
            network=bot.network,
            environment=bot.environment,
            is_model=bot.is_model,
            own_folder=own,
        )

    def _command(self, command: tuple[str, ...], folder: Path, venv: Path | None, own: str) -> tuple[str, ...]:
        program, *arguments = command
        seen = (_seen_from(own, word, folder) for word in arguments) if own else arguments
        return (program_path(program, folder, venv, self.python) or program, *seen)


_PATH = re.compile(r"[^-].*/.*|[^-].*\.[A-Za-z]\w*", re.DOTALL)
"""Matches a path, which has a slash or a suffix such as `.py`."""
_INTERPRETER = re.compile(r"(?:.*/)?(?:python[\d.]*t?|node)")


def script_of(command: Sequence[str]) -> str | None:
    """Returns the file that a command runs: its program if that is a relative path, otherwise the first path after it.

    An interpreter does not count. Returns None if there is no file, as after `-m` or `-c`.
    """
    program, *arguments = command
    if "/" in program and not program.startswith("/") and not _INTERPRETER.fullmatch(program):
        return program
    for word in arguments:
        if word in ("-m", "-c"):
            return None
        if _PATH.fullmatch(word):
            return word
    return None


def own_folder(command: Sequence[str], folder: Path) -> str:
    """Returns the folder of the file that a command runs, relative to this folder; empty if it is the same one."""
    script = script_of(command)
    if script is None or not is_there(folder / script):
        return ""
    own = script if (folder / script).is_dir() else os.path.dirname(script)
    return "" if os.path.normpath(folder / own) == os.path.normpath(folder) else os.path.normpath(own)


def _seen_from(own: str, word: str, folder: Path) -> str:
    """Returns a word of a command with its path, or the path of its option, relative to `own`."""
    option, sign, path = word.rpartition("=")
    if not _PATH.fullmatch(path) or Path(path).is_absolute() or not is_there(folder / path):
        return word
    return f"{option}{sign}{os.path.relpath(folder / path, folder / own)}"


def is_there(path: Path) -> bool:
    """Whether this file or folder exists. It accepts any word of a command."""
    try:
        return path.exists()
    except OSError:  # too long for a path
        return False


def program_path(program: str, folder: Path, venv: Path | None = None, python: str = sys.executable) -> str | None:
    """Finds the absolute path of a command's program on this machine; None if there is none."""
    if program == "python":
        return shutil.which(str(venv / "bin" / "python")) if venv else python
    # A path is relative to the bot's folder. A bare word is looked up as in a shell.
    return shutil.which(str(folder / program) if "/" in program else program)
