"""A meter of the processor time that a bot uses while others are asked, told from what it uses on its own turns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

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


ALLOWED_SHARE = 0.05
"""Of the time off turn: for what is left to do after an answer, and for answering the pings of the line."""
ALLOWED_SECONDS = 0.05
"""More than that in all; the system counts in steps of a hundredth of a second."""


class Uses(Protocol):
    """What uses the processor."""

    def processor_ms(self) -> float:
        """What it has used so far."""


class CpuMeter:
    """Of one bot. Times are seconds of the clock that its caller reads.

    To read what was used takes a while, so that it is first read at looks alone, and a turn is taken to have used all
    cores. Who has used more than one core's worth of its turns is read at each turn, too, from then on, until it burns.
    """

    def __init__(self, process: Uses, now: float) -> None:
        self._process = process
        self._looked, self._used = now, self._read()
        self.burns = False
        """Whether it was seen to use more than it may off turn, since it was last forgiven."""
        self._excess = 0.0
        self._doubt = 0.0
        """The excess if turns had used one core at most, as those of most bots do."""
        self._turn_began: float | None = None
        self._turn_seconds = 0.0
        """On turn since the last look."""
        self._reads_turns = False
        self._used_at_begin = 0.0
        self._used_on_turn = 0.0
        """Since the last look, where turns are read."""

    @property
    def on_turn(self) -> bool:
        """Whether it is asked something."""
        return self._turn_began is not None

    @property
    def excess(self) -> float:
        """Seconds of processor time beyond what is allowed off turn, less what was left over since."""
        return self._excess

    def begin(self, now: float) -> None:
        """Its turn begins."""
        self._turn_began = now
        if self._reads_turns:
            self._used_at_begin = self._read()

    def end(self, now: float) -> None:
        """Its turn ends."""
        if self._turn_began is not None:
            self._count_turn(now - self._turn_began, self._read() if self._reads_turns else 0.0)
        self._turn_began = None

    def look(self, now: float) -> float:
        """Counts the time since the last look; seconds of processor time used in it."""
        before, self._used = self._used, self._read()
        if self._turn_began is not None:
            self._count_turn(now - self._turn_began, self._used)
            self._turn_began, self._used_at_begin = now, self._used
        used = self._used - before
        off_turn = used - ALLOWED_SHARE * (now - self._looked - self._turn_seconds)
        on_turn = self._used_on_turn if self._reads_turns else self._turn_seconds * (os.cpu_count() or 1)
        self._excess = max(0.0, self._excess + off_turn - on_turn)
        self._doubt = max(0.0, self._doubt + off_turn - self._turn_seconds)
        self.burns |= self._excess > ALLOWED_SECONDS
        self._reads_turns = not self.burns and (self._reads_turns or self._doubt > ALLOWED_SECONDS)
        self._looked, self._turn_seconds, self._used_on_turn = now, 0.0, 0.0
        return used

    def forgive(self) -> None:
        """From here on the excess is counted anew."""
        self.burns, self._excess = False, 0.0

    def _count_turn(self, seconds: float, used: float) -> None:
        self._turn_seconds += seconds
        if self._reads_turns:
            self._used_on_turn += used - self._used_at_begin

    def _read(self) -> float:
        return self._process.processor_ms() / 1000
