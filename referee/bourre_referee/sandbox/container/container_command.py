"""The command line by which an engine runs one bot in a container. Podman and docker understand the same words."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import Entry, Limits
from bourre_referee.sandbox import supervisor as lifeline
from bourre_referee.sandbox.bwrap.bwrap_bot_files import Belongings


def command_inside(entry: Entry, belongings: Belongings) -> tuple[str, ...]:
    """Its own files are below /bot, `python` is the image's Python, and other programs go by their names there.

    Raises OSError for what an image cannot have.
    """
    assert entry.command is not None
    if entry.venv is not None:
        raise OSError(f"{entry.name}: no container has the venv {entry.venv}: put its packages into the image")
    program, *arguments = entry.command
    return (_program(program, belongings), *(belongings.translated(word) for word in arguments))


def _program(program: str, belongings: Belongings) -> str:
    if program == sys.executable:
        return "python3"
    own = belongings.translated(program)
    return own if own != program else Path(program).name


LABEL = "bourre.bot"
"""Every container of ours bears it."""

SOCKET = "/run/referee.sock"
_NOBODY = "65534:65534"
_MEBIBYTE = 1024 * 1024
_FILES = 128
_THREADS_OF_ALL = 4096
"""The kernel counts processes of one user over all containers; those of one container are limited apart."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")


@dataclass(frozen=True, slots=True)
class Cell:
    """One container: what is to run in it, and all that it shares with its host."""

    name: str
    image: str
    files: Path
    """A folder of the host, to be read as /bot."""
    socket: Path
    """A socket of the host, to be reached as /run/referee.sock."""
    folder: str
    """Where the command is run."""
    command: tuple[str, ...]
    told: tuple[str, ...]
    """Names of the variables that it is given, with the values that the engine's client has."""
    sign: bytes = b""
    """What the first process says before it starts the command; what an engine says of itself may come before."""


def command_line(engine: str, cell: Cell, limits: Limits) -> tuple[str, ...]:
    """The words that start this container and stay until it ends; its first process is the lifeline on our pipe."""
    return (
        engine,
        "run",
        *("--interactive", "--rm", "--pull=never", "--stop-signal=KILL", "--name", cell.name, "--label", LABEL),
        *_walls(engine),
        *_bounds(limits),
        *_shared(cell),
        *_environment(engine, cell.told),
        *("--workdir", cell.folder, "--entrypoint", "python3", cell.image),
        *("-IS", "-c", _first_program(cell.sign), *cell.command),
    )


def _first_program(sign: bytes) -> str:
    program = Path(lifeline.__file__).read_text(encoding="utf-8")
    return f"import os; os.write(1, {sign!r})\n{program}" if sign else program


def _walls(engine: str) -> tuple[str, ...]:
    """What it has not. Podman alone puts writable folders without limit into a read-only container, and our hosts."""
    alone = ("--read-only-tmpfs=false", "--no-hosts") if _is_podman(engine) else ()
    return (
        *("--network=none", "--ipc=private", "--cgroupns=private", "--hostname=bot"),
        *("--read-only", *alone, "--cap-drop=ALL", "--security-opt=no-new-privileges"),
        *("--user", _NOBODY, "--no-healthcheck", "--log-driver=none"),
    )


def _bounds(limits: Limits) -> tuple[str, ...]:
    """How much it may use; no swap beside its memory, and its /tmp and /dev/shm are of its memory."""
    memory, file = f"{limits.memory_mib}m", limits.disk_mib * _MEBIBYTE
    return (
        *(f"--memory={memory}", f"--memory-swap={memory}", f"--pids-limit={limits.processes}", "--cpus=1"),
        *_ulimits(nofile=_FILES, nproc=_THREADS_OF_ALL, fsize=file, core=0),
        *(f"--tmpfs=/tmp:rw,nosuid,nodev,exec,size={limits.disk_mib}m,mode=1777", "--shm-size=1m"),
    )


def _ulimits(**limits: int) -> Iterable[str]:
    return [f"--ulimit={name}={limit}:{limit}" for name, limit in limits.items()]


def _shared(cell: Cell) -> tuple[str, ...]:
    return (
        f"--mount=type=bind,src={cell.files},dst=/bot,readonly",
        f"--mount=type=bind,src={cell.socket},dst={SOCKET},readonly",
    )


def _environment(engine: str, told: Iterable[str]) -> tuple[str, ...]:
    """Names only, as no token is to stand in a command line; and not the host's proxies, which engines like to add."""
    names = ["--env=HOME=/tmp", *(f"--env={name}" for name in told)]
    if _is_podman(engine):
        return ("--http-proxy=false", *names)
    return (*names, *(f"--env={name}=" for proxy in _PROXIES for name in (proxy, proxy.lower())))


def _is_podman(engine: str) -> bool:
    return Path(engine).name == "podman"
