"""The bots that everybody has: the examples, the bot of a new folder, and one that decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.bot_code.example_folders import shipped_folders
from bourre_referee.evaluation.copies.same_play import KnownBot
from bourre_referee.evaluation.starters import starter

DEFAULTS = "a bot that overrides nothing"


def known_bots() -> tuple[KnownBot, ...]:
    """Load them into this process: they are this distribution's own files."""
    return (KnownBot(DEFAULTS, Bot), KnownBot("the bot of bourre new", load(str(_new_bot()))), *_examples())


def _new_bot() -> Path:
    return starter.HERE / starter.PYTHON.name / starter.PYTHON.bot


def _examples() -> Iterator[KnownBot]:
    folder = next(folder for folder in shipped_folders() if folder.is_dir())
    for file in sorted(folder.glob("*.py")):
        if not file.stem.startswith("test_"):
            yield KnownBot(file.stem.removesuffix("_bot"), load(str(file)))
