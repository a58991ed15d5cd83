"""Runs a program that downloads files in a sandbox, which reaches nothing but the servers of packages."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bourre_referee.evaluation.packages import archiver
from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.model.errors import ContestError
from bourre_referee.model.network import Network
from bourre_referee.model.spec import BotEntry, Level, Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.bwrap.bwrap_probe import explain
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch
from bourre_referee.sandbox.network_proxy import serve_proxy
from bourre_referee.storage.files.untrusted_files import MIB

_MEMORY_MIB = 4096
"""npm fails with 1,024 if a bot has 34 packages."""
_PROCESSES = 64
_CHUNK = 64 * 1024
_LINES = 40
_LONGEST_LINE = 2000
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Download:
    """A download: a command, its files, and the servers it may reach."""

    command: tuple[str, ...]
    result: str
    """The folder into which the command puts its result."""
    files: tuple[Path, ...]
    """The files that the command finds in its own folder."""
    shown: tuple[Path, ...] = ()
    """Further files and folders that it can read, by their absolute paths."""
    network: Network | None = None
    """None means no network."""


@dataclass(frozen=True, slots=True)
class DownloadLimits:
    """The limits of a download."""

    seconds: float
    mebibytes: int
    """The most that it may store, and the most that it may return."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The outcome of a download that did not succeed."""

    code: int
    text: str
    """The end of its output."""
    unreachable: bool
    """Whether a server could not be reached."""


def download(asked: Download, level: Level, limits: DownloadLimits, archive: BinaryIO) -> Printed | None:
    """Writes the result to `archive` as a tar, and returns None; or why there is none.

    At level `none` it runs without a sandbox. Raises BadPackages if the result is too large, and ContestError if it
    takes too long or this machine cannot run it.
    """
    try:
        return asyncio.run(_download(asked, level, limits, archive))
    except TimeoutError:
        text = f"The packages were not downloaded within {limits.seconds / 60:g} minutes."
        raise ContestError(f"{text}\nhint: run again, or raise [packages] minutes") from None
    except OSError as error:
        raise ContestError(f"Cannot download packages here: {explain(error)}") from error


async def _download(asked: Download, level: Level, limits: DownloadLimits, archive: BinaryIO) -> Printed | None:
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bourre-") as place, closing(InheritedFiles()) as inherited:
        async with _started(asked, level, limits, Path(place), inherited, notes.append) as process:
            assert process.stdout is not None
            said = asyncio.create_task(_last_lines(process))
            try:
                async with asyncio.timeout(limits.seconds):
                    await _copy(process.stdout, archive, limits.mebibytes)
                    text, code = await said, await process.wait()
            finally:
                said.cancel()
                await asyncio.wait([said])
    return Printed(code, text, bool(notes)) if code else None


@asynccontextmanager
async def _started(
    asked: Download,
    level: Level,
    limits: DownloadLimits,
    place: Path,
    inherited: InheritedFiles,
    note: Callable[[str], None],
) -> AsyncIterator[Process]:
    """Starts the download and its proxy, and ends both."""
    proxy = place / "network" if asked.network else None
    credentials = Credentials(place / "referee", "none", proxy=proxy)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(credentials.socket))  # a sandbox always has the socket of a referee; here nobody answers
        async with serve_proxy(asked.network, proxy, note) if asked.network and proxy else _nothing():
            launch = await asyncio.to_thread(_launch, asked, level, limits, credentials, inherited)
            try:
                process = await asyncio.create_subprocess_exec(
                    *launch.command,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=PIPE,
                    cwd=launch.folder,
                    env=launch.environment,
                    start_new_session=True,
                    pass_fds=inherited.files,
                )
                try:
                    yield process
                finally:
                    await _end(process)
            finally:
                await asyncio.to_thread(launch.hold.release)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def _launch(
    asked: Download, level: Level, limits: DownloadLimits, credentials: Credentials, inherited: InheritedFiles
) -> Launch:
    folder = credentials.socket.with_name("download")
    folder.mkdir()
    program, *files = (_copy_readable(file, folder) for file in (Path(archiver.__file__), *asked.files))
    words = (sys.executable, "-IS", program, asked.result, *files, "--", *asked.command)
    if level is Level.NONE:
        variables = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return Launch((sys.executable, "-IS", supervisor.__file__, *words), variables, folder)
    listed = (program, *files, *map(str, asked.shown))
    entry = BotEntry("packages", words, folder, listed, network=asked.network)
    return BoxLauncher.here(Limits(_MEMORY_MIB, _PROCESSES, limits.mebibytes)).launch(entry, credentials, inherited)


def _copy_readable(file: Path, folder: Path) -> str:
    """Copies a file for any user, because a sandbox may run as another one, and returns its name."""
    shutil.copyfile(file, folder / file.name)
    (folder / file.name).chmod(0o644)
    return file.name


async def _copy(source: asyncio.StreamReader, archive: BinaryIO, mebibytes: int) -> None:
    free = mebibytes * MIB
    while chunk := await source.read(_CHUNK):
        free -= len(chunk)
        if free < 0:
            raise BadPackages(f"its packages are larger than {mebibytes} MiB, the plan's limit.\nhint: use fewer")
        archive.write(chunk)


async def _last_lines(process: Process) -> str:
    assert process.stderr is not None
    kept: deque[str] = deque(maxlen=_LINES)
    rest = ""
    while chunk := await process.stderr.read(_CHUNK):
        *lines, rest = (rest + chunk.decode(errors="replace")).split("\n")
        kept.extend(line[:_LONGEST_LINE] for line in lines)
        rest = rest[:_LONGEST_LINE]
    return "\n".join([*kept, rest])


async def _end(process: Process) -> None:
    """Closes the supervisor's input, whereupon it kills everything, and discards unread output."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(_END_SECONDS):
            await _discard(process)
    except TimeoutError:
        process.kill()
        await _discard(process)


async def _discard(process: Process) -> None:
    for output in (process.stdout, process.stderr):
        while output and await output.read(_CHUNK):
            pass
    await process.wait()
