"""Where rooms are played on one machine: its copy of the bots' files, its Python, and a folder for logs."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import BotSpec, Entry, PlacedRoom, RoomSpec


@dataclass(frozen=True, slots=True)
class Site:
    """What one machine adds to a room so that it can be played there."""

    files: Path
    """The folder of the contest or ladder, or the folder of what was fetched for it."""
    logs: Path
    """The folder of the bots' logs: `<logs>/<bot>/<room>.log`."""
    python: str = sys.executable
    """The interpreter that `python` means in a command."""
    copies: Path | None = None
    """The folder of private copies of the bots' files, while a run plays."""
    is_fetched: bool = False
    """Whether the files were fetched: then those of a bot are in a folder named by their SHA-256."""

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
            entries=tuple(map(self.entry, spec.entries)),
            logs=self.logs,
            python=self.python,
            copies=self.copies,
        )

    def folder_of(self, bot: BotSpec) -> Path:
        """Returns the working directory of a bot's command."""
        return self.files / (bot.sha256 if self.is_fetched else bot.folder)

    def entry(self, bot: BotSpec) -> Entry:
        """Returns how this machine starts a bot."""
        folder = self.folder_of(bot)
        venv = folder / bot.venv if bot.venv else None
        return Entry(
            name=bot.name,
            command=self._command(bot.command, folder, venv) if bot.command else None,
            folder=folder,
            files=bot.files,
            venv=venv,
            isolation=bot.isolation,
            network=bot.network,
            environment=bot.environment,
        )

    def _command(self, command: tuple[str, ...], folder: Path, venv: Path | None) -> tuple[str, ...]:
        program, *arguments = command
        return (program_path(program, folder, venv, self.python) or program, *arguments)


def program_path(program: str, folder: Path, venv: Path | None = None, python: str = sys.executable) -> str | None:
    """Finds the absolute path of a command's program on this machine; None if there is none."""
    if program == "python":
        return shutil.which(str(venv / "bin" / "python")) if venv else python
    # A path is relative to the bot's folder; a bare word is looked up as a shell would.
    return shutil.which(str(folder / program) if "/" in program else program)
