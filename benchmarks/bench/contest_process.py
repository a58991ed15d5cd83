"""A process that plays one contest and reports its time, processor time and memory.

`python contest_process.py FILE DIR [JOBS]`
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from bourre.rules.errors import BourreError
from bourre_referee.contest.contest_file import load
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress

_SELF = Path("/proc/self")
_MATCHES_PER_LOOK = 32
"""After how many matches the workers' peak memory is read again; the system keeps a peak until its worker ends."""


class Memory:
    """The peak memory of this process and of its largest worker."""

    def __init__(self) -> None:
        self._largest_mib = 0.0

    def watch(self, progress: Progress) -> None:
        """Reads the workers' memory now and then while they run."""
        if progress.done % _MATCHES_PER_LOOK == 0 or progress.done == progress.total:
            self._largest_mib = max([self._largest_mib, *map(_peak_mib, _workers())])

    @property
    def peak_mib(self) -> float:
        """Both peaks together, in MiB; without /proc, of the children that have ended."""
        if not _SELF.exists():
            return _used_mib(resource.RUSAGE_SELF) + _used_mib(resource.RUSAGE_CHILDREN)
        return _peak_mib(_SELF) + self._largest_mib


def _workers() -> list[Path]:
    children = [number for listed in _SELF.glob("task/*/children") for number in listed.read_text().split()]
    return [Path("/proc") / number for number in children]


def _peak_mib(process: Path) -> float:
    """Reads the peak from /proc, because `getrusage` counts the parent's memory at the start for a child."""
    try:
        lines = (process / "status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0.0
    peaks = (int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return next(peaks, 0) / 1024


def _used_mib(whose: int) -> float:
    units = 1024 * 1024 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    return resource.getrusage(whose).ru_maxrss / units


def main(file: Path, folder: Path, jobs: int | None = None) -> None:
    """Plays the contest, and prints the figures of a `ContestTiming` that only this process knows, as JSON."""
    contest = load(file)
    memory = Memory()
    began, used = time.perf_counter(), time.process_time()
    run(contest, folder, jobs=jobs, watch=memory.watch)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = {
        "seconds": time.perf_counter() - began,
        "peak_mib": memory.peak_mib,
        "main_seconds": time.process_time() - used,
        "room_seconds": children.ru_utime + children.ru_stime,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
    except BourreError as error:
        sys.exit(str(error))
