"""A bot as it is in its box: its command, its files, its Python, and what it is told."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import bourre
from bourre_referee.model.spec import Entry, Limits
from bourre_referee.sandbox import supervisor as lifeline
from bourre_referee.sandbox.bwrap.bwrap_bot_files import Belongings
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Inside
from bourre_referee.sandbox.bwrap.host_system import is_system, system, users
from bourre_referee.sandbox.bwrap.interpreter import Housed, Interpreter, housed, interpreter_of
from bourre_referee.sandbox.launch import Credentials, bot_environment

SOCKET = "/run/referee.sock"
_LIFELINE = "/lifeline.py"


@dataclass(frozen=True, slots=True)
class _Program:
    """The first word of a command, as it is in the box, and what it needs there."""

    path: str
    content: tuple[Content, ...]
    environment: tuple[tuple[str, str], ...] = ()


def inside_of(entry: Entry, credentials: Credentials, limits: Limits, sign: int) -> Inside:
    """How this bot is put into its box; raises OSError where it cannot be."""
    assert entry.command is not None
    belongings = Belongings(entry)
    program = _program(Path(entry.command[0]), belongings)
    arguments = map(belongings.translated, entry.command[1:])
    keeper = _keeper()
    variables = {
        "PATH": f"{os.path.dirname(program.path)}:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **bot_environment(f"unix:{SOCKET}", credentials.token),
        **dict(program.environment),
    }
    return Inside(
        command=(*_kept(keeper, limits), f"--sign={sign}", *_exactly(program.environment), program.path, *arguments),
        folder=belongings.folder,
        environment=tuple(variables.items()),
        content=(
            *system(),
            *users(),
            *keeper.content,
            Bind(Path(lifeline.__file__), _LIFELINE),
            *program.content,
            *belongings.binds(),
            Bind(credentials.socket, SOCKET),
        ),
    )


def _program(path: Path, belongings: Belongings) -> _Program:
    path = Path(os.path.normpath(path))
    python = interpreter_of(path)
    if str(path) != sys.executable:
        _check_program(path, python, belongings)
    if python:
        return _python(python)
    if belongings.holds(path):
        return _Program(belongings.translated(str(path)), ())
    if is_system(path) or is_system(path.resolve()):
        return _Program(str(path if is_system(path) else path.resolve()), ())
    return _Program(f"/program/{path.name}", (Bind(path.resolve(), f"/program/{path.name}"),))


def _check_program(path: Path, python: Interpreter | None, belongings: Belongings) -> None:
    """Raises OSError where a link of a bot's author leads to another bot's program, Python or environment."""
    named, found = (path.parent.parent, python.venv or python.prefix) if python else (path, path)
    belongings.check_neighbours(named, found.resolve())


def _python(python: Interpreter) -> _Program:
    """A Python with the SDK: its own, or that of the referee where it has none."""
    house = housed(python, "/python", "/venv")
    content, environment = house.content, _libraries(house)
    if not (python.packages / "bourre").is_dir():
        content += (Bind(Path(bourre.__file__).parent, "/sdk/bourre"),)
        environment += (("PYTHONPATH", "/sdk"),)
    return _Program(house.program, content, environment)


def _libraries(house: Housed) -> tuple[tuple[str, str], ...]:
    return (("LD_LIBRARY_PATH", house.libraries),) if house.libraries else ()


def _keeper() -> Housed:
    """The Python that the lifeline is run by: the referee's own, without its packages."""
    python = interpreter_of(Path(sys.executable))
    if python is None:
        raise OSError(f"{sys.executable} is no Python that a box can hold: run bourre by an ordinary CPython")
    return housed(python.base(), "/lifeline", "")


def _kept(keeper: Housed, limits: Limits) -> tuple[str, ...]:
    """What runs a command as the first process of a box; processes are counted from there on."""
    counted = ("/usr/bin/prlimit", f"--nproc={limits.processes}", "--")
    found = [f"{name}={value}" for name, value in _libraries(keeper)]
    return (*counted, "/usr/bin/env", *found, keeper.program, "-IS", _LIFELINE)


def _exactly(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """What takes back the libraries of the lifeline, which are not the bot's."""
    libraries = dict(environment).get("LD_LIBRARY_PATH")
    return ("/usr/bin/env", f"LD_LIBRARY_PATH={libraries}") if libraries else ("/usr/bin/env", "-u", "LD_LIBRARY_PATH")
