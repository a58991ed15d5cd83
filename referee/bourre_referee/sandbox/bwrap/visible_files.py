"""The files and variables that a sandboxed bot can see, including its Python and its command."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import bourre
from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bwrap.box_contents import NO_NETWORK, boxed_network, is_system, system, users
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Inside
from bourre_referee.sandbox.bwrap.interpreter import BoxedPython, Interpreter, box_python, interpreter_of
from bourre_referee.sandbox.launch import Credentials, bot_environment, own_variables

TOP = "/bot"
_SDK = [Path(bourre.__file__).parents[1] / package for package in ("bourre", "bourre_lab", "bourre_seats")]
_ENTERED = stat.S_IROTH | stat.S_IXOTH

_FOLLOWS_LINK = "leads through a link to something else"
_NO_LINK = "ask its author to put the file or folder itself there"
"""It does not name the link's target, or suggest copying it, because the target may be another user's secret."""


class UnreadableFile(NamedTuple):
    """A path in a bot's files that not every user of this machine may read. Neither path has a link."""

    path: Path
    top: Path
    """The entry of the bot's `files` that is this path or contains it."""


class SandboxFiles:
    """The files of one bot. Files next to or above its folder keep their relative paths below /bot."""

    def __init__(self, entry: BotEntry) -> None:
        folder = Path(os.path.normpath(entry.folder.absolute()))
        self._folder = folder
        self._files = [Path(os.path.normpath(folder / file)) for file in entry.files]
        self._own = Path(os.path.normpath(folder / entry.own_folder))
        self._top = Path(os.path.commonpath([folder, self._own, *(file.parent for file in self._files)]))

    @property
    def folder(self) -> str:
        """The bot's own folder inside the sandbox, which is its working directory."""
        return self._inside(self._own)

    def binds(self) -> list[Bind]:
        """Returns a bind for each file. Raises OSError for a link that would expose other files."""
        return [Bind(self._resolve(file), self._inside(file)) for file in self._files]

    def followed(self) -> list[Bind]:
        """Returns a bind for each file, following all links, for a bot without isolation."""
        return [Bind(file, self._inside(file)) for file in self._files]

    def find_unreadable(self) -> UnreadableFile | None:
        """Finds the first path that not every user of this machine may read. Raises OSError as `binds` does.

        It skips links, because they lead to another file of the bot, or to a file that is not the bot's.
        """
        tops = map(self._resolve, self._files)
        found = (UnreadableFile(path, top) for top in tops for path in _tree(top) if is_closed_to_others(path))
        return next(found, None)

    def translate(self, word: str) -> str:
        """Translates a word of the bot's command: a path to one of its files becomes its path in the sandbox."""
        path = Path(os.path.normpath(word)) if word.startswith("/") else None
        if path and any(path.is_relative_to(file) for file in self._files):
            return self._inside(path)
        return word

    def holds(self, path: Path) -> bool:
        """Whether this path is or lies in one of the bot's files."""
        return any(path.is_relative_to(file) for file in self._files)

    def check_neighbours(self, path: Path, real: Path) -> None:
        """Raises OSError if links lead from this path to `real`, which may be another bot's."""
        inside = path.is_relative_to(self._folder) and real.is_relative_to(self._folder.resolve())
        if inside and real != self._place(path) and not self._owns(real):
            raise OSError(f"{path} {_FOLLOWS_LINK}.\nhint: {_NO_LINK}")

    def _inside(self, path: Path) -> str:
        below = path.relative_to(self._top).as_posix()
        return TOP if below == "." else f"{TOP}/{below}"

    def _resolve(self, file: Path) -> Path:
        """Resolves links. None may lead out of the bot's files, because the author may have made them."""
        if self._folder.is_relative_to(file):
            raise OSError(
                f"{file} contains the whole contest folder.\nhint: list only the bot's own files in its `files`"
            )
        try:
            real = Path(os.path.realpath(file, strict=True))
        except OSError as error:
            refused, place = Path(error.filename or file), self._place(file)
            if refused in (file, *file.parents, place, *place.parents) and not refused.is_symlink():
                raise
            raise OSError(
                f"{file} {_FOLLOWS_LINK}.\nhint: {_NO_LINK}"
            ) from None  # the system's message has the link's target
        if real == file or self._owns(real):
            return real
        raise OSError(f"{file} {_FOLLOWS_LINK}, which its `files` do not list.\nhint: {_NO_LINK}")

    def _owns(self, real: Path) -> bool:
        """Whether this resolved path is in one of the bot's files, reached without a link below the contest folder."""
        return any(real.is_relative_to(self._place(file)) for file in self._files)

    def _place(self, path: Path) -> Path:
        """Resolves links above the contest folder only, such as a home directory that is itself a link."""
        return Path(os.path.normpath(self._folder.resolve() / os.path.relpath(path, self._folder)))


def _tree(top: Path) -> Iterator[Path]:
    """Yields this path and everything in it. It follows no links."""
    yield top
    yield from sorted(top.rglob("*"))


def is_closed_to_others(path: Path) -> bool:
    """Whether other users may not read a file, or may not enter and list a folder. Links are open."""
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return mode & _ENTERED != _ENTERED
    return stat.S_ISREG(mode) and not mode & stat.S_IROTH


SOCKET = "/run/referee.sock"
_SUPERVISOR = f"/{Path(supervisor.__file__).name}"
"""Its path in the sandbox. The file name stays, because `cpu_guard` recognizes the process by it."""


@dataclass(frozen=True, slots=True)
class _Program:
    """The program of a command, with its path in the sandbox and its needs there."""

    path: str
    content: tuple[Content, ...]
    environment: tuple[tuple[str, str], ...] = ()


def inside_of(entry: BotEntry, credentials: Credentials, limits: Limits, sign: int) -> Inside:
    """Returns the content of this bot's sandbox. Raises OSError if the bot cannot be sandboxed."""
    assert entry.command is not None
    bot_files = SandboxFiles(entry)
    program = _program(Path(entry.command[0]), bot_files)
    arguments = map(bot_files.translate, entry.command[1:])
    keeper = _supervisor_python()
    network = boxed_network(credentials.proxy, keeper.program) if credentials.proxy else NO_NETWORK
    variables = {
        "PATH": f"{os.path.dirname(program.path)}:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        **own_variables(entry),
        **network.environment,
        **bot_environment(f"unix:{SOCKET}", credentials.token, credentials.seed),
        **dict(program.environment),
    }
    return Inside(
        command=(
            *_supervisor_command(keeper, limits),
            f"--sign={sign}",
            *network.command,
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
            *network.content,
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
    """Raises OSError if an author's link leads to another bot's program, Python or environment."""
    named, found = (path.parent.parent, python.venv or python.prefix) if python else (path, path)
    bot_files.check_neighbours(named, found.resolve())


def _python(python: Interpreter) -> _Program:
    """A Python with the SDK: its own, or the referee's if it has none."""
    boxed = box_python(python, "/python", "/venv")
    content, environment = boxed.content, _libraries(boxed)
    if not (python.packages / "bourre").is_dir():
        content += tuple(Bind(package, f"/sdk/{package.name}") for package in _SDK)
        environment += (("PYTHONPATH", "/sdk"),)
    return _Program(boxed.program, content, environment)


def _libraries(boxed: BoxedPython) -> tuple[tuple[str, str], ...]:
    return (("LD_LIBRARY_PATH", boxed.libraries),) if boxed.libraries else ()


def _supervisor_python() -> BoxedPython:
    """The Python that runs the supervisor: the referee's own, without its packages."""
    python = interpreter_of(Path(sys.executable))
    if python is None:
        raise OSError(
            f"a sandbox cannot contain the Python {sys.executable}.\nhint: run bourre with an ordinary CPython"
        )
    return box_python(python.base(), "/supervisor", "")


def _supervisor_command(keeper: BoxedPython, limits: Limits) -> tuple[str, ...]:
    """Returns the words for the supervisor, the sandbox's first process, which runs a command with a process limit."""
    counted = ("/usr/bin/prlimit", f"--nproc={limits.processes}", "--")
    found = [f"{name}={value}" for name, value in _libraries(keeper)]
    return (*counted, "/usr/bin/env", *found, keeper.program, "-IS", _SUPERVISOR)


def _restore_libraries(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Returns the words that replace the supervisor's library path with the bot's."""
    libraries = dict(environment).get("LD_LIBRARY_PATH")
    return ("/usr/bin/env", f"LD_LIBRARY_PATH={libraries}") if libraries else ("/usr/bin/env", "-u", "LD_LIBRARY_PATH")
