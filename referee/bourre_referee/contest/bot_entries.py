"""The entries [[bots]] of a contest file: their keys and defaults, and checks of names, commands and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from bourre_referee.contest.bot_command import explain_missing_file, files_in, problem_with, problem_with_venv
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.contest_keys import Name, Section, Word
from bourre_referee.contest.contest_problems import Problems


class BotSection(Section):
    """[[bots]]: a command, or `connect = true`."""

    name: Name
    command: Annotated[list[Word], Field(min_length=1)] | None = None
    connect: bool = False
    trusted: bool = False
    files: list[Word] | None = None
    venv: Word | None = None


def entrants(written: Sequence[object], folder: Path, problems: Problems, format: str) -> tuple[Entrant, ...]:
    """Returns the bots that are sound in this format; adds what is wrong with the others to the problems."""
    names: dict[str, str] = {}
    return tuple(_check_bots(written, folder, problems, format, names))


def _check_bots(
    written: Sequence[object], folder: Path, problems: Problems, format: str, names: dict[str, str]
) -> Iterator[Entrant]:
    for index, keys in enumerate(written):
        place = ("bots", index)
        try:
            bot = BotSection.model_validate(keys)
        except ValidationError as error:
            problems.add_invalid(place, _label(index, keys), BotSection, error)
            continue
        if bot.name.casefold() in names:
            problems.add((*place, "name"), _same_name(bot.name, names[bot.name.casefold()]))
        names.setdefault(bot.name.casefold(), bot.name)
        found = [*_problems_of(bot, folder), *_problems_of_trust(bot, format)]
        for key, text in found:
            problems.add((*place, key), f"[[bots]] {bot.name}: {text}")
        if not found:
            command = tuple(bot.command) if bot.command else None
            yield Entrant(bot.name, command, _files(bot, folder), bot.venv, bot.trusted)


def _problems_of(bot: BotSection, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the key and the text of each problem."""
    if bot.connect == (bot.command is not None):
        yield "command", 'write either command = ["python", "bot.py"] or connect = true'
    elif bot.venv and (problem := problem_with_venv(bot.venv, bot.command, folder)):
        yield "venv", problem
    elif bot.command and (problem := problem_with(bot.command, folder)):
        yield "command", problem
    elif bot.command and bot.files is None and not files_in(bot.command, folder):
        yield "command", 'it names no file, so no change of the bot could be seen: add files = ["..."]'
    for path in bot.files or ():
        if text := explain_missing_file(path, folder):
            yield "files", text


def _problems_of_trust(bot: BotSection, format: str) -> Iterator[tuple[str, str]]:
    """Checks `trusted`: who starts a duplicate bot sees its cards in every seating, and could use them in the next."""
    if bot.trusted and not bot.connect:
        yield "trusted", "trusted is for a bot with connect = true: leave it out"
    elif bot.connect and format == "duplicate" and not bot.trusted:
        yield (
            "connect",
            'format = "duplicate" with connect = true shows the author of the bot every hand of a deal, seating by '
            'seating: write format = "session", or give the bot a command; trusted = true lets an author play who can '
            "be trusted not to use it",
        )


def _files(bot: BotSection, folder: Path) -> tuple[str, ...]:
    if bot.files is not None:
        return tuple(dict.fromkeys(bot.files))
    return files_in(bot.command, folder) if bot.command else ()


def _same_name(name: str, first: str) -> str:
    if name == first:
        return f"[[bots]] name = {name!r}: another bot has this name; give each its own"
    return f"[[bots]] name = {name!r}: it differs from {first!r} only in case, and a folder is named after each"


def _label(index: int, keys: object) -> str:
    """Returns the bot's name, or its number if the name itself may be unsafe to print."""
    name = keys.get("name") if isinstance(keys, dict) else None
    sound = isinstance(name, str) and name.isascii() and name.isprintable() and 0 < len(name) <= 32
    return f"[[bots]] {name}:" if sound else f"[[bots]] number {index + 1}:"
