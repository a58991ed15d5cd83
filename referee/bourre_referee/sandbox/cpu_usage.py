"""How much processor time and memory a bot's processes have used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_FIELDS_BEFORE_TIMES = 11
"""In /proc/PID/stat, between the name, which may hold anything, and the four times."""
_MOST = 4096
"""Processes that are looked at: whoever starts them faster than that would be looked at for ever."""


def processor_ms(process: int) -> float:
    """Milliseconds of processor time that this process and all below it have used so far.

    Those that have ended count as far as their parents have waited for them. 0 where the system does not tell.
    """
    ticks = sum(_ticks(member) for member in tree(process))
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def memory_kib(process: int) -> int:
    """KiB of memory that this process and all below it hold; what they share counts once for each."""
    pages = sum(int(words[1]) for member in tree(process) if (words := _words(member, "statm")))
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def tree(process: int) -> Iterator[int]:
    """This process and all below it, parents first, whichever of their threads started them; 4,096 at most."""
    waiting = [process]
    for _ in range(_MOST):
        if not waiting:
            return
        member = waiting.pop()
        yield member
        for thread in _threads(member):
            waiting += map(int, _words(member, f"task/{thread}/children"))


def _threads(process: int) -> list[str]:
    try:
        return os.listdir(_PROC / str(process) / "task")
    except (FileNotFoundError, ProcessLookupError):
        return []


def _ticks(process: int) -> int:
    """Of the process in user and system mode, and likewise of its children that were waited for."""
    after_name = _words(process, "stat", after=")")
    return sum(map(int, after_name[_FIELDS_BEFORE_TIMES : _FIELDS_BEFORE_TIMES + 4]))


def _words(process: int, file: str, after: str = "") -> list[str]:
    """What is written there; nothing where the process has ended meanwhile, or the system has no such file."""
    try:
        text = (_PROC / str(process) / file).read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(after)[2].split() if after else text.split()
