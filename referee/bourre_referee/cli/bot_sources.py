"""Read the bots of a command line: files, examples by name, or commands that start anything."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from bourre.bot_code.bot_file import check_file, find
from bourre_referee.cli.arguments import names
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.evaluation.bot_source import BotCommand, BotSource, is_command, read_command

Found = str | BotCommand
"""A bot's file, which may continue with `:Class`, or its command."""


def find_bot(word: str, folders: Sequence[Path], environment: Sequence[str] = ()) -> Found:
    """Returns the file or the command that a word means; raises BotFileError or ContestError."""
    if is_command(word):
        return read_command(word, tuple(environment), Path.cwd())
    return find(word, folders)


def name_bots(found: Sequence[Found], gap: str = "-") -> dict[str, Found]:
    """Names each bot by its command, class or file; a name already taken gets a number."""
    words = [bot if isinstance(bot, str) else bot.name for bot in found]
    return dict(zip(names(words, gap), found, strict=True))


def sources_of(bots: Mapping[str, Found], *, in_process: bool = False) -> dict[str, BotSource]:
    """Returns what each bot is started from; raises BadUsage or BotFileError if it cannot be."""
    return {name: _file(bot, in_process) if isinstance(bot, str) else bot for name, bot in bots.items()}


def files_of(bots: Mapping[str, Found]) -> dict[str, str]:
    """Returns the path of each bot, for one process; raises BadUsage for commands."""
    if commands := [name for name, bot in bots.items() if not isinstance(bot, str)]:
        raise BadUsage(f"{commands[0]!r} is a command, which plays in its own process.\nhint: remove --in-process")
    return {name: bot for name, bot in bots.items() if isinstance(bot, str)}


def check_environment(bots: Mapping[str, Found], environment: Sequence[str]) -> None:
    """Raises BadUsage if no bot would get these variables, or one of them is not set."""
    if environment and not any(isinstance(bot, BotCommand) for bot in bots.values()):
        raise BadUsage("No bot is a command, so none receives variables.\nhint: remove --environment")
    if missing := [name for name in environment if name not in os.environ]:
        raise BadUsage(f"--environment: the variable {missing[0]!r} is not set.\nhint: set it, then run this again")


def texts_of(found: Sequence[Found]) -> list[str]:
    """Returns the words that mean these bots on a command line."""
    return [bot if isinstance(bot, str) else bot.text for bot in found]


def _file(path: str, in_process: bool) -> Path:
    file, _, wanted = path.partition(":")
    if wanted and not in_process:
        raise BadUsage(
            f"{path!r} names a class, but a process runs a whole file.\nhint: use one file per bot, or add --in-process"
        )
    check_file(Path(file))
    if Path(file).suffix not in ("", ".py"):
        raise BadUsage(f"{file!r} is not a Python file.\nhint: pass the command that starts it: 'node {file}'")
    return Path(file).absolute()
