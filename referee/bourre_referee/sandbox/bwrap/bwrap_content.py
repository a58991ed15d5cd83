"""What a bot's box contains: its command, its files, its Python and its environment."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import bourre
from bourre_referee.model.spec import Entry, Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bwrap.bwrap_bot_files import SandboxFiles
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Inside
from bourre_referee.sandbox.bwrap.host_system import is_system, system, users
from bourre_referee.sandbox.bwrap.interpreter import BoxedPython, Interpreter, box_python, interpreter_of
from bourre_referee.sandbox.launch import Credentials, bot_environment

SOCKET = "/run/referee.sock"
_SUPERVISOR = f"/{Path(supervisor.__file__).name}"
"""Keeps its file name in the box, by which `suspension` recognizes the process."""


@dataclass(frozen=True, slots=True)
class _Program:
    """The program of a command, by its path in the box, and what it needs there."""

    path: str
    content: tuple[Content, ...]
    environment: tuple[tuple[str, str], ...] = ()


def inside_of(entry: Entry, credentials: Credentials, limits: Limits, sign: int) -> Inside:
    """Returns what this bot's box contains; raises OSError if the bot cannot be boxed."""
    assert entry.command is not None
    bot_files = SandboxFiles(entry)
    program = _program(Path(entry.command[0]), bot_files)
    arguments = map(bot_files.translate, entry.command[1:])
    keeper = _supervisor_python()
    variables = {
        "PATH": f"{os.path.dirname(program.path)}:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **bot_environment(f"unix:{SOCKET}", credentials.token),
        **dict(program.environment),
    }
    return Inside(
        command=(
            *_supervisor_command(keeper, limits),
            f"--sign={sign}",
            *_restore_libraries(program.environment),
            program.path,
            *arguments,
        ),
        folder=bot_files.folder,
        environment=tuple(variables.items()),
        content=(
            *system(),
            *users(),
            *keeper.content,
            Bind(Path(supervisor.__file__), _SUPERVISOR),
            *program.content,
            *bot_files.binds(),
            Bind(credentials.socket, SOCKET),
        ),
    )


def _program(path: Path, bot_files: SandboxFiles) -> _Program:
    path = Path(os.path.normpath(path))
    python = interpreter_of(path)
    if str(path) != sys.executable:
        _check_program(path, python, bot_files)
    if python:
        return _python(python)
    if bot_files.holds(path):
        return _Program(bot_files.translate(str(path)), ())
    if is_system(path) or is_system(path.resolve()):
        return _Program(str(path if is_system(path) else path.resolve()), ())
    return _Program(f"/program/{path.name}", (Bind(path.resolve(), f"/program/{path.name}"),))


def _check_program(path: Path, python: Interpreter | None, bot_files: SandboxFiles) -> None:
    """Raises OSError if a link made by a bot's author leads to another bot's program, Python or environment."""
    named, found = (path.parent.parent, python.venv or python.prefix) if python else (path, path)
    bot_files.check_neighbours(named, found.resolve())


def _python(python: Interpreter) -> _Program:
    """A Python with the SDK: its own, or the referee's if it has none."""
    boxed = box_python(python, "/python", "/venv")
    content, environment = boxed.content, _libraries(boxed)
    if not (python.packages / "bourre").is_dir():
        content += (Bind(Path(bourre.__file__).parent, "/sdk/bourre"),)
        environment += (("PYTHONPATH", "/sdk"),)
    return _Program(boxed.program, content, environment)


def _libraries(boxed: BoxedPython) -> tuple[tuple[str, str], ...]:
    return (("LD_LIBRARY_PATH", boxed.libraries),) if boxed.libraries else ()


def _supervisor_python() -> BoxedPython:
    """The Python that runs the supervisor: the referee's own, without its packages."""
    python = interpreter_of(Path(sys.executable))
    if python is None:
        raise OSError(f"a box cannot hold the Python {sys.executable}: run bourre with an ordinary CPython")
    return box_python(python.base(), "/supervisor", "")


def _supervisor_command(keeper: BoxedPython, limits: Limits) -> tuple[str, ...]:
    """The words that run a command under the supervisor, the first process of the box, with a limit of processes."""
    counted = ("/usr/bin/prlimit", f"--nproc={limits.processes}", "--")
    found = [f"{name}={value}" for name, value in _libraries(keeper)]
    return (*counted, "/usr/bin/env", *found, keeper.program, "-IS", _SUPERVISOR)


def _restore_libraries(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The words that replace the supervisor's library path by the bot's."""
    libraries = dict(environment).get("LD_LIBRARY_PATH")
    return ("/usr/bin/env", f"LD_LIBRARY_PATH={libraries}") if libraries else ("/usr/bin/env", "-u", "LD_LIBRARY_PATH")
