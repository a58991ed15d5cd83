"""Checks the command of a bot, and finds the files that it names."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bourre.bot_code.did_you_mean import closest
from bourre_referee.model.site import is_there, program_path, script_of
from bourre_referee.sandbox.bwrap.interpreter import interpreter_of

_LEAVES = re.compile(r"(?:^|^-\w|[=:,])/|(?:^|[/=:,])\.\.(?:/|$)")
"""An absolute path or a `..`, as a word or as the value of an option."""

PATHS_START = ".\nhint: use a path that starts at the folder of the contest file"


def problem_with(command: Sequence[str], folder: Path) -> str | None:
    """Returns why this command cannot start a bot in this folder; None if it looks sound."""
    program = command[0]
    if program_path(program, folder) is None:
        return _explain_missing_program(program, folder)
    script = None if "/" in program else script_of(command)
    return explain_missing_file(script, folder) if script else None


def problem_with_strangers(command: Sequence[str], folder: Path, launchers: Sequence[str]) -> str | None:
    """Returns why a command that came with a bot's files may not start it; None if it may.

    A sandbox shows a bot the program of its command. So the program must be one of the launchers or a file of the bot,
    and no other word may lead out of the bot's folder.
    """
    program, *arguments = command
    if program not in launchers:
        if leads_out(program) or not is_file(folder / program):
            return f"{program!r} cannot start a bot here.\nhint: use {', '.join(launchers)} or a file of the bot"
        if problem := problem_with_own_python(program, folder):
            return problem
    if word := next(filter(leads_out, arguments), None):
        return f"{word!r} leads out of the bot's folder.\nhint: use a path inside it"
    return None


def problem_with_own_python(program: str, folder: Path) -> str | None:
    """Returns why a file of the bot may not be its program: it would let the author choose a Python of this machine."""
    python = None if Path(program).is_absolute() else interpreter_of(folder / program)
    if python is None or python.venv is None:
        return None
    return f"{program!r} is in an environment, whose pyvenv.cfg names a Python of this machine.\nhint: use python"


def leads_out(word: str) -> bool:
    """Whether a word of a command is or contains a path that may lead out of the bot's folder."""
    return _LEAVES.search(word) is not None


def problem_with_venv(venv: str, command: Sequence[str] | None, folder: Path) -> str | None:
    """Returns why this is not an environment for this command; None if it is."""
    if command is None or command[0] != "python":
        return 'venv needs a command that starts with "python".\nhint: set command = ["python", ...], or remove venv'
    if not is_there(folder / venv / "pyvenv.cfg"):
        return explain_missing_file(venv, folder) or f"{venv!r} is not an environment.\nhint: run python -m venv {venv}"
    if program_path("python", folder, folder / venv) is None:
        return f"{venv!r} has no executable bin/python.\nhint: run python -m venv {venv}"
    return None


def explain_missing_file(path: str, folder: Path) -> str | None:
    """Returns that a file does not exist, with a similar name if there is one; None if the file exists."""
    place = folder / path
    if is_there(place):
        return None
    beside = sorted(other.name for other in place.parent.glob("*")) if place.parent.is_dir() else []
    meant = closest(place.name, beside)
    advice = f".\nhint: use {meant!r}" if meant else PATHS_START
    return f"no file {path!r} here{advice}"


def files_in(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Returns the words of a command that name files in this folder. A bare first word is a program."""
    words = command if "/" in command[0] else command[1:]
    around = {folder, *folder.parents}
    named = (word for word in dict.fromkeys(words) if is_there(folder / word))
    return tuple(word for word in named if (folder / word).resolve() not in around)


def main_file_in(command: Sequence[str]) -> str:
    """Returns the path of the bot's file that a command starts, or an empty text."""
    word = script_of(command)
    return "" if word is None or leads_out(word) else PurePosixPath(word).as_posix()


def _explain_missing_program(program: str, folder: Path) -> str:
    if "/" in program:
        return explain_missing_file(program, folder) or f"cannot run {program!r}: {_why_not_runnable(program, folder)}"
    if is_there(folder / program):
        return f"no program {program!r}.\nhint: for the file next to the contest file, use './{program}'"
    return f"no program {program!r} on this machine.\nhint: install it, or use its path"


def _why_not_runnable(program: str, folder: Path) -> str:
    real = folder.resolve()
    if (folder / program).resolve() != Path(os.path.normpath(real / program)):
        # No hint at chmod: it would change the permissions of the link's target.
        return "it links to something that is not a program.\nhint: ask its author for the program itself"
    return "it is not a file, or not executable.\nhint: run chmod +x"


def is_file(path: Path) -> bool:
    """Whether this file exists; accepts any word of a command."""
    return is_there(path) and path.is_file()
