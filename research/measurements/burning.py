"""Times a fixed piece of work while other processes use the processor, restrained in different ways."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

MOVE_STEPS = 150_000
"""Size of the work; about 13 ms alone, on the machine of research/bot-processes.md."""
BURNING = "while True: pass"

Restraint = Callable[[Sequence[int]], None]
"""A function that restrains these processes."""


def move() -> float:
    """Does one piece of work; returns the seconds it took."""
    began = time.perf_counter()
    number = 1
    for step in range(MOVE_STEPS):
        number = number * step % 1_000_003 + 1
    return time.perf_counter() - began


def let(processes: Sequence[int]) -> None:
    """Does nothing."""


def pin(processes: Sequence[int]) -> None:
    """Pins this process to one core, the others to the rest."""
    first, *rest = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {first})
    for process in processes:
        os.sched_setaffinity(process, rest or {first})


def lower(processes: Sequence[int]) -> None:
    """Gives all of them the lowest priority."""
    for process in processes:
        os.setpriority(os.PRIO_PROCESS, process, 19)


def halt(processes: Sequence[int]) -> None:
    """Stops all of them."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)


@contextmanager
def burning(number: int, own_sessions: bool) -> Iterator[list[int]]:
    """Runs this many busy processes, in sessions of their own (as bots are) or in that of this process."""
    command = (sys.executable, "-IS", "-c", BURNING)
    running = [subprocess.Popen(command, start_new_session=own_sessions) for _ in range(number)]
    try:
        yield [process.pid for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


def time_moves(burners: int, restrain: Restraint, moves: int, *, own_sessions: bool = True) -> list[float]:
    """Returns the seconds that moves take beside restrained busy processes."""
    cores = os.sched_getaffinity(0)
    with burning(burners, own_sessions) as processes:
        for process in processes:
            prefer(process)
        restrain(processes)
        taken = [move() for _ in range(moves)]
    os.sched_setaffinity(0, cores)
    return taken


def prefer(process: int) -> None:
    """Asks the system to prefer this session to those unrelated to the measurement, if it can.

    Otherwise a busy machine would be measured. Only root may; sessions compete with one another where Linux groups
    processes by them (`/proc/sys/kernel/sched_autogroup_enabled`).
    """
    if os.geteuid() == 0 and os.path.exists(f"/proc/{process}/autogroup"):
        with open(f"/proc/{process}/autogroup", "w") as group:
            group.write("-20")
