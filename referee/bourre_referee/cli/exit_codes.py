"""How a command ends when something goes wrong: its message and its exit code."""

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import NoReturn

import typer

from bourre.rules.errors import BourreError, InvalidHouse
from bourre_referee.model.errors import ContestError, Interrupted
from bourre_referee.text.names import shorten

COMMANDS = ("bourre", "python")
LONGEST_LINE = 4_000
"""The most characters of a line of a message, which may quote a stranger."""


def activation_lines() -> list[str]:
    """Returns the shell line that activates this virtual environment; none if it is active or cannot be activated."""
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
READER_GONE = 141
"""The status of a program that SIGPIPE ends, which is how other tools end before `| head -1`."""

WRITING = {errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}
"""Errors of writing to an open file, for which the system gives no file name."""


class BadUsage(BourreError):
    """The command line makes no sense; the message says what does."""


EXTRAS = {
    "referee": {"alembic", "grpc", "google", "pydantic", "sqlmodel", "sqlalchemy", "trueskill"},
    "export": {"matplotlib", "pyarrow"},
    "cluster": {"dask", "distributed"},
    "champion": {"bourre_lab", "numpy"},
    "postgres": {"psycopg"},
    "web": {"fastapi", "jinja2", "markupsafe", "prometheus_client", "starlette", "uvicorn"},
}
"""The modules that each extra installs."""


def end(error: BourreError | ModuleNotFoundError, hint: str = "") -> NoReturn:
    """Prints the error and a hint on stderr and exit; a missing module that no extra provides is raised again."""
    if isinstance(error, ModuleNotFoundError):
        missing = (error.name or "").partition(".")[0]
        extra = next((extra for extra, modules in EXTRAS.items() if missing in modules), None)
        if extra is None:
            raise error
        from bourre.extras import install_command

        tell(f"This command needs more packages.\nhint: {install_command(extra)}")
        sys.exit(BAD_INPUT)
    tell(f"{error}\n{hint}")
    sys.exit(exit_code(error))


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Ends the command when it is interrupted inside, and says that nothing is kept."""
    try:
        yield
    except KeyboardInterrupt:
        tell("Interrupted. Nothing is kept.")
        raise typer.Exit(INTERRUPTED) from None


def exit_code(error: BourreError) -> int:
    """Returns 2 for bad input, 3 for a bot that fails a check, 130 if the same command goes on, otherwise 1."""
    from bourre.bot_code.bot_file import BotFileError  # imports all the rules
    from bourre.practice.mistake import MisnamedMethod, NeverStarted

    if isinstance(error, Interrupted):
        return INTERRUPTED
    if isinstance(error, MisnamedMethod | NeverStarted):
        return FAILED_CHECK
    return BAD_INPUT if isinstance(error, BadUsage | ContestError | InvalidHouse | BotFileError) else FAILURE


def explain_os_error(error: OSError) -> str:
    """Explains an error of the system, with the file and a hint as far as they are known."""
    if error.filename or error.errno in WRITING:
        return f"{error.filename or 'stdout'}: {error.strerror}."
    if isinstance(error, FileNotFoundError) and error.strerror == os.strerror(errno.ENOENT):
        return "The current folder no longer exists.\nhint: run cd to enter another one"
    if isinstance(error, FileNotFoundError):  # Python's own words for a machine without any place for temporary files
        return f"{error.strerror}.\nhint: set TMPDIR to a folder that you may write to, with free space"
    return str(error)


def tell(text: str) -> None:
    """Prints messages on stderr, so that stdout holds only the result; a hint has a line without the name."""
    for line in text.splitlines():
        name = "" if line.startswith("hint: ") else "bourre: "
        print(f"{name}{shorten(line, LONGEST_LINE)}", file=sys.stderr)


def silence_stdout(code: int) -> NoReturn:
    """Ends the process once stdout takes nothing more, as when `head` has enough; what is left is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
