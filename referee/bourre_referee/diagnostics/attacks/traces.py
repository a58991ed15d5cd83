"""The traces of a room in its process: processes, sockets, files, tasks, open handles, memory."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import tempfile
import time
from pathlib import Path

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, descendants_of

_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Makes this process the parent of all orphans below it, so that none escapes by a double fork."""
    if ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot become the parent of orphans")


def begin_peak() -> None:
    """Resets the peak of this process's memory."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_kib() -> int:
    """Returns the peak of resident memory since `begin_peak`, in KiB."""
    return _status("VmHWM")


def resident_kib() -> int:
    """Returns the resident memory now, in KiB."""
    gc.collect()
    return _status("VmRSS")


def handles(most: int, seconds: float = 5.0) -> int:
    """Returns how many files and sockets this process holds open, after waiting for gRPC to close all but `most`."""
    ends = time.monotonic() + seconds
    while (held := len(os.listdir("/proc/self/fd"))) > most and time.monotonic() < ends:
        time.sleep(0.05)  # there is no event to wait for
    return held


async def tasks(seconds: float = 5.0) -> tuple[str, ...]:
    """Returns the tasks still running in the loop of a finished room, after waiting for gRPC to clean up its calls."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    late = (await asyncio.wait(others, timeout=seconds))[1] if others else ()
    return tuple(f"task {task}" for task in late)


def left(seconds: float = 5.0) -> tuple[str, ...]:
    """Returns the remains of bots and room, after waiting for processes to end and for gRPC to hang up.

    It kills the remaining processes, so that the next room starts clean.
    """
    return (*_processes(seconds), *_sockets(seconds), *_files())


def _processes(seconds: float) -> list[str]:
    ids = list(descendants_of(os.getpid()))
    commands = {process: _command(process) for process in ids}
    watched = WatchedProcess(process for process in ids if _reap(process))
    late = watched.left_after(seconds)
    for process in late:
        os.kill(process, signal.SIGKILL)
    for process in late:
        os.waitpid(process, 0)
    return [f"process {process}: {commands[process]}" for process in late]


def _reap(process: int) -> bool:
    """Returns whether a process still runs, and reaps an orphan that has ended."""
    try:
        return os.waitpid(process, os.WNOHANG)[0] == 0
    except ChildProcessError:
        return Path(f"/proc/{process}").exists()


def _command(process: int) -> str:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return "ended"
    return words.replace(b"\0", b" ").decode(errors="replace")


def _sockets(seconds: float) -> list[str]:
    """Returns the sockets that stay open. gRPC closes its ends of connections in its own thread."""
    ends = time.monotonic() + seconds
    while (held := _open_sockets()) and time.monotonic() < ends:
        time.sleep(0.05)  # there is no event to wait for
    return held


def _open_sockets() -> list[str]:
    folder = tempfile.gettempdir()
    lines = Path("/proc/net/unix").read_text().splitlines()
    return [f"socket {line.split()[-1]}" for line in lines if folder in line]


def _files() -> list[str]:
    return [f"file {path.name}" for path in Path(tempfile.gettempdir()).iterdir()]


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))
