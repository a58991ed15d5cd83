"""Times how long programs take to start, as multiples of a Python that does nothing: `python benchmarks/startup.py`.

They take turns, so that a machine whose speed drifts affects all of them; figures are medians.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

BARE = "python -c pass"
COMMANDS = {
    BARE: (sys.executable, "-c", "pass"),
    "import bourre": (sys.executable, "-c", "import bourre"),
    "from bourre import Bot, run": (sys.executable, "-c", "from bourre import Bot, run"),
    "bourre --help": (str(Path(sys.executable).with_name("bourre")), "--help"),
}


class Taken(NamedTuple):
    """Seconds of one start."""

    wall: float
    processor: float


def main() -> None:
    """Prints a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    taken: dict[str, list[Taken]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            taken[name].append(time_start(command))
    bare = median(taken[BARE])
    print(f"{'':28} {'wall':>8} {'':>6} {'processor':>10}")
    for name in COMMANDS:
        wall, processor = median(taken[name])
        ratios = wall / bare.wall, processor / bare.processor
        print(f"{name:28} {wall * 1e3:5.0f} ms {ratios[0]:5.1f}x {processor * 1e3:7.0f} ms {ratios[1]:5.1f}x")


def time_start(command: tuple[str, ...]) -> Taken:
    """Runs a command and time it."""
    before, began = processor_seconds(), time.perf_counter()
    environ = os.environ | {"BOURRE_ADDRESS": "unix:nowhere"}  # as in a bot's process, which defers imports
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environ)
    return Taken(time.perf_counter() - began, processor_seconds() - before)


def processor_seconds() -> float:
    """Returns the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median(taken: list[Taken]) -> Taken:
    """Returns the median of each figure separately."""
    return Taken(*map(statistics.median, zip(*taken, strict=True)))


if __name__ == "__main__":
    main()
