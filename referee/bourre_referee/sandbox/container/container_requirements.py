"""What keeps bots from being started in containers here, found before the first card is dealt."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bourre_referee.model.spec import Entry, Isolation
from bourre_referee.sandbox.bwrap.bwrap_bot_files import TOP, Belongings
from bourre_referee.sandbox.container.container_files import pack
from bourre_referee.sandbox.container.container_probe import engine_for
from bourre_referee.sandbox.container.image_command import command_inside


def hindrance(entries: Sequence[Entry], isolation: Isolation) -> str | None:
    """Why these bots cannot be started, and the mend, by a real try; None when they can."""
    try:
        programs = {_tried(entry) for entry in entries if entry.command is not None}
        engine_for(isolation, tuple(sorted(program for program in programs if not program.startswith(f"{TOP}/"))))
    except OSError as error:
        return str(error)
    return None


def _tried(entry: Entry) -> str:
    """The program that this bot needs, its files copied once for a try."""
    belongings = Belongings(entry)
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder:
        pack(belongings, Path(folder, "files"))
    return command_inside(entry, belongings)[0]
