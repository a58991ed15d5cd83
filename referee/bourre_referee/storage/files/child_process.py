"""Processes that end with the one that started them, and that are started again when they die."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread
from time import monotonic
from typing import Any

FIRST_S = 1.0
"""Seconds until what died is started again."""
LONGEST_S = 60.0
"""The most seconds until then; what had lasted as long before it died is started again as soon as the first time."""
END_S = 10.0
"""Seconds for a process to end when it is told to; then it is killed."""


def follow_parent() -> None:
    """Leaves Ctrl-C to the parent, and ends this process at once if the parent dies, whatever else it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()  # by a pipe, which the system closes, even if the parent died before this line
        os._exit(1)


def how_it_ended(code: int) -> str:
    """Says how a process with this exit code ended: `was killed by SIGKILL`."""
    return f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"


def _signal_name(number: int) -> str:
    """Names a signal; Python has no names for most real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Restarts:
    """Tells how a process ended that is started again, and how long that takes: twice as long as the last time."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._name = name
        self._tell = tell
        self._next = FIRST_S

    def delay(self, how: str, lasted: float) -> float:
        """Tells how it ended, after so many seconds, and returns how many to wait: few again if it had lasted."""
        delay = FIRST_S if lasted >= LONGEST_S else self._next
        self._next = min(2 * delay, LONGEST_S)
        self._tell(f"the process of the {self._name} {how}: it is started again in {delay:.0f} s")
        return delay


@contextmanager
def tended(name: str, work: Callable[[], None], tell: Callable[[str], None]) -> Iterator[None]:
    """Does this work in a process of its own until the end of the block, which sends it SIGTERM.

    If the process dies before, this tells it and, after a while, starts another one. `work` must be importable.
    """
    ended, end = Pipe(duplex=False)
    thread = Thread(target=_tend, args=(name, work, tell, ended), name=f"tends {name}")
    thread.start()
    try:
        yield
    finally:
        end.close()
        thread.join()
        ended.close()


def _tend(name: str, work: Callable[[], None], tell: Callable[[str], None], ended: Connection[Any, Any]) -> None:
    restarts, began = Restarts(name, tell), monotonic()
    while how := _run(get_context("spawn").Process(target=_work, args=(work,), name=name), ended):
        if ended.poll(restarts.delay(how, monotonic() - began)):
            return
        began = monotonic()


def _work(work: Callable[[], None]) -> None:
    follow_parent()
    work()


def _run(process: SpawnProcess, ended: Connection[Any, Any]) -> str:
    """Runs a process to its end, and says how that came; ends it itself, and says nothing, once the pipe is closed."""
    try:
        process.start()
    except OSError as error:
        return f"cannot be started ({error.strerror})"
    if ended in wait([process.sentinel, ended]):
        process.terminate()
        process.join(END_S)
        process.kill()
        process.join()
        return ""
    process.join()
    return how_it_ended(process.exitcode or 0)
