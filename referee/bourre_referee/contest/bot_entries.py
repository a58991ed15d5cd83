"""The bots of a contest file, checked: their names, commands and files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from bourre_referee.contest.contest import Entrant, program_path
from bourre_referee.contest.contest_problems import Problems
from bourre_referee.contest.contest_sections import BotSection

PATHS_START = " (paths start at the folder of the contest file)"


def problem_with(command: Sequence[str], folder: Path) -> str | None:
    """Why this command cannot start a bot in this folder, and the mend; None when it looks sound."""
    program = command[0]
    if program_path(program, folder) is None:
        return _no_program(program, folder)
    script = None if "/" in program else _script(command[1:])
    return missing(script, folder) if script else None


def problem_with_venv(venv: str, command: Sequence[str] | None, folder: Path) -> str | None:
    """Why this environment is none for this command, and the mend; None when it is one."""
    if command is None or command[0] != "python":
        return 'venv is for a command that starts with "python": leave it out, or write command = ["python", ...]'
    if not is_there(folder / venv / "pyvenv.cfg"):
        return missing(venv, folder) or f"{venv!r} is no environment: make one with python -m venv {venv}"
    if program_path("python", folder, folder / venv) is None:
        return f"{venv!r} has no bin/python that can be run: make it anew with python -m venv {venv}"
    return None


def missing(path: str, folder: Path) -> str | None:
    """That there is no such file, and which one may have been meant; None when there is."""
    place = folder / path
    if is_there(place):
        return None
    beside = sorted(other.name for other in place.parent.glob("*")) if place.parent.is_dir() else []
    close = get_close_matches(place.name, beside, n=1)
    meant = f": did you mean {close[0]!r}?" if close else PATHS_START
    return f"there is no file {path!r}{meant}"


def files_in(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The words of a command that name something in this folder; a bare first word is a program, not a file."""
    words = command if "/" in command[0] else command[1:]
    around = {folder, *folder.parents}
    named = (word for word in dict.fromkeys(words) if is_there(folder / word))
    return tuple(word for word in named if (folder / word).resolve() not in around)


def _script(arguments: Sequence[str]) -> str | None:
    """The first argument that can only be a file: it has a slash, or an ending like `.py`."""
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
        return "it is a link to what is none: have its author put the program itself there"  # whose rights stay
    return "it is no file, or not executable (chmod +x)"


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; any word may be asked about."""
    try:
        return path.exists()
    except OSError:  # a word too long to be a path
        return False


def entrants(written: Sequence[object], folder: Path, problems: Problems, format: str) -> tuple[Entrant, ...]:
    """Those bots that are sound in this format; what is wrong with the others goes to the problems."""
    names: dict[str, str] = {}
    return tuple(_entered(written, folder, problems, format, names))


def _entered(
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
    """The key and the text of each problem."""
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
    """Whoever starts a bot sees what it is told in every seating, and can tell it in the next one."""
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
    """The bot's name, or its number where the name itself cannot be trusted."""
    name = keys.get("name") if isinstance(keys, dict) else None
    sound = isinstance(name, str) and name.isascii() and name.isprintable() and 0 < len(name) <= 32
    return f"[[bots]] {name}:" if sound else f"[[bots]] number {index + 1}:"
