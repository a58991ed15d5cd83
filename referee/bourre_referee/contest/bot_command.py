"""What a bot's command names: a program, and the files that are the bot."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from bourre_referee.contest.contest import program_path

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
