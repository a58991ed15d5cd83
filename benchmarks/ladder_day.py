"""Serves a ladder for simulated hours: `python benchmarks/ladder_day.py [--rooms 10000] [--hours 24]`.

Remote bots play real rooms; only the clock is simulated, by the number of rooms that were called. Memory, handles and
threads of the serving processes are read after every hundredth part, and fail the measurement if they grow.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np
from ladder_crowd import Watched, descendants, enter_all, enter_bot, make_ladder, memory_mib
from remote_clients import clients

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import serve_ladder
from bourre_referee.ladder.log.events import RoomPaired
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.local_executor import local_rooms

BOTS = 20
START = datetime(2026, 1, 1, tzinfo=UTC)
WARM = 0.2
"""The share of the rooms before the slope is taken."""
MOST_MIB_AN_HOUR = 1.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What the serving processes hold."""

    rooms: int
    mib: float
    handles: int
    threads: int


def main() -> None:
    """Prints the samples, and fails if anything grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=10_000)
    parser.add_argument("--hours", type=float, default=24)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        sys.exit(measure(Path(name), options.rooms, options.hours))


def measure(place: Path, rooms: int, hours: float) -> str | None:
    """Plays so many rooms in so many simulated hours; returns what grew."""
    ladder, address = make_ladder(place, deals=1, epoch_rooms=1000)
    tokens = [enter_bot(ladder, f"bot{number:02}", rests=False) for number in range(BOTS)]
    watched, samples, began = Watched(ladder), list[Sample](), monotonic()
    with clients(logs=place) as processes:
        served = get_context("spawn").Process(target=serve, args=(ladder.path, hours * 3600 / rooms))
        served.start()
        assert served.pid is not None
        enter_all(processes, address, tokens)
        for part in range(1, 101):
            watched.until(lambda part=part: watched.finished >= rooms * part // 100)  # type: ignore[misc]
            samples.append(sample(served.pid, watched.finished))
            print(samples[-1], f"{monotonic() - began:.0f} s", flush=True)
        served.terminate()
        served.join()
    verified = subprocess.run([sys.executable, "-m", "bourre_referee", "verify", str(ladder.path), "--epoch", "1"])
    return report(samples, hours / rooms) or ("epoch 1 is not verified" if verified.returncode else None)


def serve(folder: Path, seconds: float) -> None:
    """Serves a ladder by a clock that each room that is called puts forward by so many seconds."""
    ladder = LadderFolder(folder)
    log, rooms = ladder.open_log(), [0]

    def now() -> datetime:
        rooms[0] += sum(isinstance(logged.event, RoomPaired) for logged in log.read_new())
        return START + timedelta(seconds=seconds * rooms[0])

    with Stop() as stop:
        serve_ladder(ladder, local_rooms(2), stop, lambda address, notices: None, print, now)


def sample(pid: int, rooms: int) -> Sample:
    """Reads what a process and its descendants hold."""
    family = descendants(pid)
    return Sample(rooms, memory_mib(pid), count(family, "fd"), count(family, "task"))


def count(family: Iterable[int], kind: str) -> int:
    """Counts the handles (`fd`) or the threads (`task`) of processes."""
    return sum(len(list(Path(f"/proc/{pid}/{kind}").glob("*"))) for pid in family)


def report(samples: Sequence[Sample], hours_a_room: float) -> str | None:
    """Prints how memory, handles and threads changed; returns what grew."""
    warm = samples[int(WARM * len(samples)) :]
    hours = [hours_a_room * each.rooms for each in warm]
    slope = float(np.polyfit(hours, [each.mib for each in warm], 1)[0])
    print(f"memory: {slope:+.2f} MiB an hour")
    grown = ["memory"] if slope >= MOST_MIB_AN_HOUR else []
    half = len(warm) // 2
    for kind in ("handles", "threads"):
        before, after = (median(getattr(each, kind) for each in part) for part in (warm[:half], warm[half:]))
        print(f"{kind}: {before} in the first half, {after} in the second")
        grown += [kind] * (after > before + 2)
    return f"it grew: {', '.join(grown)}" if grown else None


if __name__ == "__main__":
    main()
