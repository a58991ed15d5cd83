"""Tests with a real container whether an engine fulfils level `container`."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Isolation, Limits
from bourre_referee.sandbox.bwrap.visible_files import TOP, SandboxFiles
from bourre_referee.sandbox.container import container_examination as examination
from bourre_referee.sandbox.container.container_command import ContainerSpec, command_inside, command_line
from bourre_referee.sandbox.container.container_engine import NAMES, Engine, engines, new_name
from bourre_referee.sandbox.launch import bot_environment
from bourre_referee.sandbox.private_copy import copy_files

_BUILD = "podman build -f docker/bot.Dockerfile -t bourre-bot ."


@cache
def engine_for(isolation: Isolation, programs: tuple[str, ...] = ()) -> Engine:
    """Returns the first engine that passes the probe and whose image has these programs.

    Raises OSError with each engine's shortcomings and a hint.
    """
    if isolation.image is None:
        raise OSError(f'containers need an image.\nhint: set [isolation] image = "bourre-bot" (built by {_BUILD})')
    found, lacks = engines(), list[str]()
    for engine in found:
        lack = shortcoming(engine, isolation.image, isolation.limits, programs)
        if lack is None:
            return engine
        lacks.append(f"{engine.path}: {lack}")
    if not found:
        raise OSError(
            f"containers need {' or '.join(NAMES)}, and neither is installed.\nhint: run apt-get install podman"
        )
    raise OSError(f"no engine here can run {isolation.image!r} as asked ({'; '.join(lacks)}).\nhint: run {_BUILD}")


def shortcoming(engine: Engine, image: str, limits: Limits, programs: Sequence[str] = ()) -> str | None:
    """Returns the shortcomings of this engine and image, found inside a container; None if there are none."""
    if missing := engine.lacks(image):
        return missing
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder, socket.socket(socket.AF_UNIX) as listening:
        spec = _examination_spec(Path(folder), image, limits, programs)
        listening.bind(str(spec.socket))
        spec.socket.chmod(0o666)
        listening.listen()
        done = engine.run(command_line(engine.path, spec, limits), bot_environment("", "", ""))
    *lacks, last = done.stdout.split("\n")[:-1] or [""]
    if last != "examined":
        return " ".join(done.stderr.split()) or f"a container ended with status {done.returncode} and no output"
    return ", ".join(lack for lack in lacks if lack) or None


def _examination_spec(folder: Path, image: str, limits: Limits, programs: Sequence[str]) -> ContainerSpec:
    files = folder / "files"
    files.mkdir(mode=0o755)
    program = Path(examination.__file__).read_text(encoding="utf-8")
    sizes = (limits.memory_mib << 20, limits.processes, limits.disk_mib << 20)
    words = ("python3", "-c", program, *map(str, sizes), *programs)
    variables = tuple(bot_environment("", "", ""))
    return ContainerSpec(new_name(), image, files, folder / "referee.sock", "/bot", words, variables)


def unavailable_reason(entries: Sequence[BotEntry], isolation: Isolation) -> str | None:
    """Returns why these bots cannot start, with a hint; None if they can."""
    try:
        programs = {_try_copy(entry) for entry in entries if entry.command is not None}
        engine_for(isolation, tuple(sorted(program for program in programs if not program.startswith(f"{TOP}/"))))
    except OSError as error:
        return str(error)
    return None


def _try_copy(entry: BotEntry) -> str:
    """Tries to copy this bot's files, and returns the program that it needs in the container."""
    bot_files = SandboxFiles(entry)
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder:
        copy_files(bot_files.folder, bot_files.binds(), Path(folder, "files"))
    return command_inside(entry, bot_files)[0]
