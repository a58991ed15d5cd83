"""Checks the bots of a contest file: their names, commands and files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from bourre_referee.contest.contest import Entrant, program_path
from bourre_referee.contest.contest_keys import BotSection
from bourre_referee.contest.contest_problems import Problems

PATHS_START = " (paths start at the folder of the contest file)"


def problem_with(command: Sequence[str], folder: Path) -> str | None:
    """Why this command cannot start a bot in this folder, with a hint; None if it looks sound."""
    program = command[0]
    if program_path(program, folder) is None:
        return _no_program(program, folder)
    script = None if "/" in program else _script(command[1:])
    return missing(script, folder) if script else None


def problem_with_venv(venv: str, command: Sequence[str] | None, folder: Path) -> str | None:
    """Why this is not an environment for this command, with a hint; None if it is."""
    if command is None or command[0] != "python":
        return 'venv is for a command that starts with "python": leave it out, or write command = ["python", ...]'
    if not is_there(folder / venv / "pyvenv.cfg"):
        return missing(venv, folder) or f"{venv!r} is not an environment: make one with python -m venv {venv}"
    if program_path("python", folder, folder / venv) is None:
        return f"{venv!r} has no executable bin/python: recreate it with python -m venv {venv}"
    return None


def missing(path: str, folder: Path) -> str | None:
    """Says that a file does not exist, and which one may be meant; None if it exists."""
    place = folder / path
    if is_there(place):
        return None
    beside = sorted(other.name for other in place.parent.glob("*")) if place.parent.is_dir() else []
    close = get_close_matches(place.name, beside, n=1)
    meant = f": did you mean {close[0]!r}?" if close else PATHS_START
    return f"there is no file {path!r}{meant}"


def files_in(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Returns the words of a command that name files in this folder; a bare first word is a program, not a file."""
    words = command if "/" in command[0] else command[1:]
    around = {folder, *folder.parents}
    named = (word for word in dict.fromkeys(words) if is_there(folder / word))
    return tuple(word for word in named if (folder / word).resolve() not in around)


def _script(arguments: Sequence[str]) -> str | None:
    """Returns the first argument that must be a file, because it has a slash or a suffix such as `.py`."""
    for word in arguments:
        if word in ("-m", "-c"):
            return None
        if not word.startswith("-") and ("/" in word or re.fullmatch(r".*\.[A-Za-z]\w*", word)):
            return word
    return None


def _no_program(program: str, folder: Path) -> str:
    if "/" in program:
        return missing(program, folder) or f"{program!r} cannot be run: {_not_run(program, folder)}"
    if is_there(folder / program):
        return f"there is no program {program!r}: for the file beside the contest write './{program}'"
    return f"there is no program {program!r} on this machine: install it, or write its path"


def _not_run(program: str, folder: Path) -> str:
    real = folder.resolve()
    if (folder / program).resolve() != Path(os.path.normpath(real / program)):
        # No hint at chmod: it would change the rights of whatever the link leads to.
        return "it is a link to something that is not a program: ask its author to put the program itself there"
    return "it is not a file, or not executable (chmod +x)"


def is_there(path: Path) -> bool:
    """Whether this file or folder exists; accepts any word of a command."""
    try:
        return path.exists()
    except OSError:  # too long for a path
        return False


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
        if text := missing(path, folder):
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
