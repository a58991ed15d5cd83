"""A bot's command as the image has it."""

from __future__ import annotations

import sys
from pathlib import Path

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bwrap.bwrap_bot_files import Belongings


def command_inside(entry: Entry, belongings: Belongings) -> tuple[str, ...]:
    """Its own files are below /bot, `python` is the image's Python, and other programs go by their names there.

    Raises OSError for what an image cannot have.
    """
    assert entry.command is not None
    if entry.venv is not None:
        raise OSError(f"{entry.name}: no container has the venv {entry.venv}: put its packages into the image")
    program, *arguments = entry.command
    return (_program(program, belongings), *(belongings.translated(word) for word in arguments))


def _program(program: str, belongings: Belongings) -> str:
    if program == sys.executable:
        return "python3"
    own = belongings.translated(program)
    return own if own != program else Path(program).name
