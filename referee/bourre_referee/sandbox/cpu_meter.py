"""Measures the processor time that a bot uses outside of its own turns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Protocol

_PROC = "/proc"
_FIELDS_BEFORE_TIMES = 11
"""The number of fields in /proc/PID/stat between the name and the four times."""
_MOST = 4096
"""The most processes to read, so that a bot with many processes cannot delay the referee."""


def processor_ms(process: int) -> float:
    """Returns the processor time of this process and its descendants in milliseconds.

    Ended processes count if their parents have waited for them. Returns 0 if the system does not report it.
    """
    ticks = sum(_ticks(member) for member in tree(process))
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def memory_kib(process: int) -> int:
    """Returns the memory of this process and its descendants in KiB. Shared memory counts once for each."""
    pages = sum(int(words[1]) for member in tree(process) if (words := _words(member, "statm")))
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def tree(process: int) -> Iterator[int]:
    """Yields this process and its descendants of all threads, parents first; at most 4,096."""
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
        return os.listdir(f"{_PROC}/{process}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []


def _ticks(process: int) -> int:
    """Returns the clock ticks of the process in user and system mode, and of its awaited children."""
    after_name = _words(process, "stat", after=b")")
    return sum(map(int, after_name[_FIELDS_BEFORE_TIMES : _FIELDS_BEFORE_TIMES + 4]))


def _words(process: int, file: str, after: bytes = b"") -> list[bytes]:
    """Reads a file below /proc. Returns no words if the process ended or the system has no such file."""
    try:
        with open(f"{_PROC}/{process}/{file}", "rb", buffering=0) as opened:  # read too often for `pathlib`
            content = opened.read()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return content.rpartition(after)[2].split() if after else content.split()


ALLOWED_SHARE = 0.05
"""The allowed share of its time off turn, for cleaning up after an answer and for answering pings."""
ALLOWED_SECONDS = 0.05
"""The tolerated total excess over that share. The system counts in hundredths of a second."""


class MeteredProcess(Protocol):
    """A process whose processor time can be read."""

    def processor_ms(self) -> float:
        """Milliseconds of processor time used so far."""


class CpuMeter:
    """Meters one bot. Times are seconds of the caller's clock.

    Reading processor time is slow. So at first it is read only at looks, and a turn is assumed to have used all cores.
    If a bot used more than one core during its turns, it is also read at each turn, until it burns.
    """

    def __init__(self, process: MeteredProcess, now: float) -> None:
        self._process = process
        self._looked, self._used = now, self._read()
        self.burns = False
        """Whether its use off turn exceeded the limit since it was last forgiven."""
        self._excess = 0.0
        self._doubt = 0.0
        """The excess if turns used at most one core, which holds for most bots."""
        self._turn_began: float | None = None
        self._turn_seconds = 0.0
        """Seconds on turn since the last look."""
        self._reads_turns = False
        self._used_at_begin = 0.0
        self._used_on_turn = 0.0
        """Seconds of processor time used on turn since the last look, if turns are read."""

    @property
    def on_turn(self) -> bool:
        """Whether the bot has an open ask."""
        return self._turn_began is not None

    @property
    def excess(self) -> float:
        """The seconds of processor time above the limit off turn, minus later savings."""
        return self._excess

    def begin(self, now: float) -> None:
        """Begins its turn."""
        self._turn_began = now
        if self._reads_turns:
            self._used_at_begin = self._read()

    def end(self, now: float) -> None:
        """Ends its turn."""
        if self._turn_began is not None:
            self._count_turn(now - self._turn_began, self._read() if self._reads_turns else 0.0)
        self._turn_began = None

    def look(self, now: float) -> float:
        """Counts the time since the last look, and returns its seconds of processor time."""
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
        """Resets the excess."""
        self.burns, self._excess = False, 0.0

    def _count_turn(self, seconds: float, used: float) -> None:
        self._turn_seconds += seconds
        if self._reads_turns:
            self._used_on_turn += used - self._used_at_begin

    def _read(self) -> float:
        return self._process.processor_ms() / 1000
