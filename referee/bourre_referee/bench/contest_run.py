"""A process that plays one contest and tells what it took: `python -m bourre_referee.bench.contest_run FILE DIR`."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from bourre.rules.errors import BourreError
from bourre_referee.contest.file import load
from bourre_referee.contest.run import run


def main(file: Path, folder: Path) -> None:
    """Plays it, and prints seconds and peak memory as a JSON document."""
    contest = load(file)
    began = time.perf_counter()
    run(contest, folder)
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "peak_mib": own_peak_mib() + children_peak_mib()}))


def own_peak_mib() -> float:
    """The most memory that this process ever held. `getrusage` would count its parent's before the exec, too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return _peak_mib(resource.RUSAGE_SELF)
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(fields["VmHWM"].split()[0]) / 1024


def children_peak_mib() -> float:
    """The most that the largest process below it ever held: a worker, with its rooms."""
    return _peak_mib(resource.RUSAGE_CHILDREN)


def _peak_mib(whose: int) -> float:
    units = 1024 * 1024 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    return resource.getrusage(whose).ru_maxrss / units


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except BourreError as error:
        sys.exit(str(error))
