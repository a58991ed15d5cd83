"""How a command ends when something is wrong: its message and its exit code."""

import errno
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import NoReturn

from bourre.rules.errors import BourreError, InvalidHouse
from bourre_referee.model.errors import ContestError, Interrupted

COMMANDS = ("bourre", "python")


def entering() -> list[str]:
    """The line that makes `bourre` and `python` those of this environment; none where they are, or none would help."""
    script = Path(sys.prefix, "bin", "activate")
    found = {Path(path).parent for name in COMMANDS if (path := shutil.which(name))}
    if found == {script.parent} or not script.is_file():
        return []
    near = script.is_relative_to(Path.cwd())
    return [f". {quote(os.path.relpath(script) if near else str(script))}"]


FAILURE = 1
BAD_INPUT = 2
FAILED_CHECK = 3
INTERRUPTED = 130

WRITING = {errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}
"""Why nothing more can be written to a file that is open: then the system does not name it."""


class BadUsage(BourreError):
    """Words on the command line that cannot be meant: says what there is instead."""


EXTRAS = {
    "referee": {"grpc", "google", "pydantic", "sqlmodel", "sqlalchemy", "trueskill"},
    "export": {"matplotlib", "pyarrow"},
    "web": {"fastapi", "jinja2", "markupsafe", "starlette", "uvicorn"},
}
"""Which modules each extra brings."""


def end(error: BourreError | ModuleNotFoundError, mend: str = "") -> NoReturn:
    """Says on stderr what is wrong, then the mend, and exits; a missing module of our own making goes up as it is."""
    if isinstance(error, ModuleNotFoundError):
        missing = (error.name or "").partition(".")[0]
        extra = next((extra for extra, modules in EXTRAS.items() if missing in modules), None)
        if extra is None:
            raise error
        tell(f"this command needs an extra of this package: pip install 'bourre[{extra}]'")
        sys.exit(BAD_INPUT)
    tell(f"{error}\n{mend}")
    sys.exit(exit_code(error))


def exit_code(error: BourreError) -> int:
    """2 where the input must be mended, 3 for a misnamed method, 130 where the same command goes on, else 1."""
    from bourre.bot_file import BotFileError  # which brings all the rules along
    from bourre.practice.mistake import MisnamedMethod

    if isinstance(error, Interrupted):
        return INTERRUPTED
    if isinstance(error, MisnamedMethod):
        return FAILED_CHECK
    return BAD_INPUT if isinstance(error, BadUsage | ContestError | InvalidHouse | BotFileError) else FAILURE


def refused(error: OSError) -> str:
    """What the system refused, with its place and the mend as far as it lets them know."""
    if error.filename or error.errno in WRITING:
        return f"{error.filename or 'stdout'}: {error.strerror}: make room on its disk, or look at its rights"
    if isinstance(error, FileNotFoundError):
        return "the current folder is gone: go to another one"
    return str(error)


def tell(text: str) -> None:
    """Talk goes to stderr, so that stdout holds only what was asked for; nothing fails because nobody can hear it."""
    with unheard():
        for line in text.splitlines():
            print(f"bourre: {line}", file=sys.stderr)


def unheard() -> suppress:
    """Inside, talk goes nowhere when stderr does: a terminal that was closed, a log on a full disk."""
    return suppress(OSError)


def hush() -> NoReturn:
    """The reader of stdout, such as `head`, has had enough: nothing more is written, not at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(FAILURE)
