"""Whether an engine keeps what level `container` promises: tried with a container, never assumed."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bourre_referee.model.spec import Isolation, Limits
from bourre_referee.sandbox.container import container_examination as examination
from bourre_referee.sandbox.container.container_command import Cell, command_line
from bourre_referee.sandbox.container.container_engine import NAMES, Engine, engines
from bourre_referee.sandbox.container.container_names import new_name
from bourre_referee.sandbox.launch import told

_BUILD = "podman build -f docker/bot.Dockerfile -t bourre-bot ."


@cache
def engine_for(isolation: Isolation, programs: tuple[str, ...] = ()) -> Engine:
    """The first engine of this machine that passes the probe and whose image has these programs.

    Raises OSError with what each engine lacks, and the mend.
    """
    if isolation.image is None:
        raise OSError(f'containers need an image: write [isolation] image = "bourre-bot" (built by {_BUILD})')
    found, lacks = engines(), list[str]()
    for engine in found:
        lack = shortcoming(engine, isolation.image, isolation.limits, programs)
        if lack is None:
            return engine
        lacks.append(f"{engine.path}: {lack}")
    if not found:
        raise OSError(f"containers need {' or '.join(NAMES)}, and neither is installed: apt-get install podman")
    raise OSError(f"no engine here can run {isolation.image!r} as asked: {'; '.join(lacks)} (image: {_BUILD})")


def shortcoming(engine: Engine, image: str, limits: Limits, programs: Sequence[str] = ()) -> str | None:
    """What a container of this engine and image lacks, told from inside one; None when it is all that was asked."""
    if missing := engine.lacks(image):
        return missing
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder, socket.socket(socket.AF_UNIX) as listening:
        cell = _cell(Path(folder), image, limits, programs)
        listening.bind(str(cell.socket))
        cell.socket.chmod(0o666)
        listening.listen()
        done = engine.run(command_line(engine.path, cell, limits), told("", ""))
    *lacks, last = done.stdout.split("\n")[:-1] or [""]
    if last != "examined":
        return " ".join(done.stderr.split()) or f"a container ended with status {done.returncode}, and said nothing"
    return ", ".join(lack for lack in lacks if lack) or None


def _cell(folder: Path, image: str, limits: Limits, programs: Sequence[str]) -> Cell:
    files = folder / "files"
    files.mkdir(mode=0o755)
    program = Path(examination.__file__).read_text(encoding="utf-8")
    sizes = (limits.memory_mib << 20, limits.processes, limits.disk_mib << 20)
    words = ("python3", "-c", program, *map(str, sizes), *programs)
    return Cell(new_name(), image, files, folder / "referee.sock", "/bot", words, tuple(told("", "")))
