"""Whether an engine keeps what level `container` promises: tried with a container, never assumed."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bourre_referee.model.spec import Entry, Isolation, Limits
from bourre_referee.sandbox.bwrap.bwrap_bot_files import TOP, Belongings
from bourre_referee.sandbox.container import container_examination as examination
from bourre_referee.sandbox.container.container_command import Cell, command_inside, command_line
from bourre_referee.sandbox.container.container_engine import NAMES, Engine, engines, new_name
from bourre_referee.sandbox.launch import bot_environment


def pack(belongings: Belongings, folder: Path) -> None:
    """Copies a bot's files into a new folder, which is to be its /bot; anybody may read them there.

    Links are copied as links: what a bot's author lets them point to is looked up in the container, not on the host.
    Raises OSError where something cannot be copied, and for a link that would let in something else.
    """
    (folder / Path(belongings.folder).relative_to(TOP)).mkdir(parents=True)
    for bind in belongings.binds():
        target = folder / Path(bind.target).relative_to(TOP)
        target.parent.mkdir(parents=True, exist_ok=True)
        if bind.source.is_dir():
            shutil.copytree(bind.source, target, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(bind.source, target)
    _open_to_all(folder)


def _open_to_all(folder: Path) -> None:
    """The bot is another user: it may read everything, and run what its owner may run."""
    for at, folders, files in os.walk(folder):
        os.chmod(at, 0o755)
        for path in (Path(at, name) for name in (*folders, *files)):
            if not path.is_symlink() and path.is_file():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


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
        done = engine.run(command_line(engine.path, cell, limits), bot_environment("", ""))
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
    return Cell(new_name(), image, files, folder / "referee.sock", "/bot", words, tuple(bot_environment("", "")))


def unavailable_reason(entries: Sequence[Entry], isolation: Isolation) -> str | None:
    """Why these bots cannot be started, and the mend, by a real try; None when they can."""
    try:
        programs = {_tried(entry) for entry in entries if entry.command is not None}
        engine_for(isolation, tuple(sorted(program for program in programs if not program.startswith(f"{TOP}/"))))
    except OSError as error:
        return str(error)
    return None


def _tried(entry: Entry) -> str:
    """The program that this bot needs, its files copied once for a try."""
    belongings = Belongings(entry)
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder:
        pack(belongings, Path(folder, "files"))
    return command_inside(entry, belongings)[0]
