"""The processes below this one, orphans included (Linux)."""

from __future__ import annotations

import ctypes
import os
import select
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_SET_CHILD_SUBREAPER = 36
_WORKER = b"multiprocessing.connection"
"""A word that only the command lines of workers contain."""


def adopt_orphans() -> None:
    """Adopts every process whose parent dies, so that none escapes."""
    if ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "this system cannot hand orphans over")


def victims(contest: int) -> dict[str, list[int]]:
    """Returns the processes of a running contest by kind; a list is empty if there are none now."""
    children = _children()
    workers = [process for process in children[contest] if _WORKER in command_of(process)]
    lifelines = [process for worker in workers for process in children[worker]]
    bots = [process for lifeline in lifelines for process in _below(lifeline, children)]
    return {"contest": [contest], "worker": workers, "lifeline": lifelines, "bot": bots}


def left_after(seconds: float) -> list[str]:
    """Returns the command lines of descendants that are still running after this long."""
    while below := list(_below(os.getpid(), _children())):
        for process in below:
            if not _wait_for_end(process, seconds):
                return [command_of(process).replace(b"\0", b" ").decode(errors="replace") for process in below]
    return []


def end_all() -> None:
    """Kills all descendants of this process."""
    while below := list(_below(os.getpid(), _children())):
        for process in below:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            _wait_for_end(process, 10)


def command_of(process: int) -> bytes:
    """Returns its command line, separated by NUL; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _wait_for_end(process: int, seconds: float) -> bool:
    """Waits for the end of a process, and reap it if it is a child."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        ended = bool(poll.poll(seconds * 1000))
    finally:
        os.close(handle)
    if ended:
        with suppress(ChildProcessError):
            os.waitpid(process, 0)
    return ended


def _children() -> defaultdict[int, list[int]]:
    """Returns every process of this machine by its parent."""
    children = defaultdict[int, list[int]](list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):  # it has ended meanwhile
                after_name = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                children[int(after_name[1])].append(int(folder.name))
    return children


def _below(process: int, children: defaultdict[int, list[int]]) -> Iterator[int]:
    for child in children[process]:
        yield child
        yield from _below(child, children)
