"""Builds the command line of an engine for one bot. Podman and docker have the same options."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles


def command_inside(entry: BotEntry, bot_files: SandboxFiles) -> tuple[str, ...]:
    """Translates a bot's command: its files are below /bot, and other programs are in the image.

    Raises OSError for a venv, which an image cannot use.
    """
    assert entry.command is not None
    if entry.venv is not None:
        raise OSError(
            f"{entry.name}: a container cannot use the venv {entry.venv}.\nhint: install its packages in the image"
        )
    program, *arguments = entry.command
    return (_program(program, bot_files), *(bot_files.translate(word) for word in arguments))


def _program(program: str, bot_files: SandboxFiles) -> str:
    if program == sys.executable:
        return "python3"
    own = bot_files.translate(program)
    return own if own != program else Path(program).name


LABEL = "bourre.bot"
"""The label of every container that the referee starts."""

SOCKET = "/run/referee.sock"
_NOBODY = "65534:65534"
_MEBIBYTE = 1024 * 1024
_FILES = 128
_THREADS_OF_ALL = 4096
"""The limit for all of a user's containers, which the kernel counts together. `--pids-limit` limits each one."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")


@dataclass(frozen=True, slots=True)
class ContainerSpec:
    """One container: its command, and everything that it shares with the host."""

    name: str
    image: str
    files: Path
    """A folder of the host, readable as /bot."""
    socket: Path
    """A socket of the host, reachable as /run/referee.sock."""
    folder: str
    """The working directory of the command."""
    command: tuple[str, ...]
    variables: tuple[str, ...]
    """Names of the environment variables it gets, with the values that the engine's client has."""
    sign: bytes = b""
    """The output of the first process before the command. The engine's own output may precede it."""


def command_line(engine: str, spec: ContainerSpec, limits: Limits) -> tuple[str, ...]:
    """Returns the command that runs this container until it ends. Its first process is the supervisor."""
    return (
        engine,
        "run",
        *("--interactive", "--rm", "--pull=never", "--stop-signal=KILL", "--name", spec.name, "--label", LABEL),
        *_restrictions(engine),
        *_limit_options(limits),
        *_mounts(spec),
        *_environment(engine, spec.variables),
        *("--workdir", spec.folder, "--entrypoint", "python3", spec.image),
        *("-IS", "-c", _first_program(spec.sign), *spec.command),
    )


def _first_program(sign: bytes) -> str:
    program = Path(supervisor.__file__).read_text(encoding="utf-8")
    return f"import os; os.write(1, {sign!r})\n{program}" if sign else program


def _restrictions(engine: str) -> tuple[str, ...]:
    """Returns the options for restrictions. Only podman adds unlimited writable folders and the host's /etc/hosts."""
    alone = ("--read-only-tmpfs=false", "--no-hosts") if _is_podman(engine) else ()
    return (
        *("--network=none", "--ipc=private", "--cgroupns=private", "--hostname=bot"),
        *("--read-only", *alone, "--cap-drop=ALL", "--security-opt=no-new-privileges"),
        *("--user", _NOBODY, "--no-healthcheck", "--log-driver=none"),
    )


def _limit_options(limits: Limits) -> tuple[str, ...]:
    """Returns the options for limits. There is no swap, and /tmp and /dev/shm count as memory."""
    memory, file = f"{limits.memory_mib}m", limits.disk_mib * _MEBIBYTE
    return (
        *(f"--memory={memory}", f"--memory-swap={memory}", f"--pids-limit={limits.processes}", "--cpus=1"),
        *_ulimits(nofile=_FILES, nproc=_THREADS_OF_ALL, fsize=file, core=0),
        *(f"--tmpfs=/tmp:rw,nosuid,nodev,exec,size={limits.disk_mib}m,mode=1777", "--shm-size=1m"),
    )


def _ulimits(**limits: int) -> Iterable[str]:
    return [f"--ulimit={name}={limit}:{limit}" for name, limit in limits.items()]


def _mounts(spec: ContainerSpec) -> tuple[str, ...]:
    return (
        f"--mount=type=bind,src={spec.files},dst=/bot,readonly",
        f"--mount=type=bind,src={spec.socket},dst={SOCKET},readonly",
    )


def _environment(engine: str, variables: Iterable[str]) -> tuple[str, ...]:
    """Returns names only, because a command line must not show a token, without the host's proxies."""
    names = ["--env=HOME=/tmp", *(f"--env={name}" for name in variables)]
    if _is_podman(engine):
        return ("--http-proxy=false", *names)
    return (*names, *(f"--env={name}=" for proxy in _PROXIES for name in (proxy, proxy.lower())))


def _is_podman(engine: str) -> bool:
    return Path(engine).name == "podman"
