"""Child processes that end with their parent, and that are restarted if they die."""

from __future__ import annotations

import gc
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
"""The seconds before the first restart."""
LONGEST_S = 60.0
"""The most seconds before a restart. A process that lasted this long restarts as soon as the first time."""
END_S = 10.0
"""The seconds in which a process must end before it is killed."""


def follow_parent() -> None:
    """Ignores Ctrl-C, which the parent handles, and ends this process at once if the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()  # by a pipe, which the system closes, even if the parent died before this line
        os._exit(1)


def how_it_ended(code: int) -> str:
    """Returns how a process with this exit code ended, such as `was killed by SIGKILL`."""
    return f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"


def _signal_name(number: int) -> str:
    """Returns the name of a signal. Python has no names for most real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Restarts:
    """Reports the ends of a restarted process, and doubles the delay each time."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._name = name
        self._tell = tell
        self._next = FIRST_S

    def delay(self, how: str, lasted: float) -> float:
        """Reports an end after `lasted` seconds, and returns the delay, which is short again if it lasted."""
        delay = FIRST_S if lasted >= LONGEST_S else self._next
        self._next = min(2 * delay, LONGEST_S)
        self._tell(f"the process of the {self._name} {how}: it is started again in {delay:.0f} s")
        return delay


@contextmanager
def tended(name: str, work: Callable[[], None], tell: Callable[[str], None]) -> Iterator[None]:
    """Does this work in a separate process until the end of the block, which sends it SIGTERM.

    If the process dies earlier, this reports it and, after a delay, starts another one. `work` must be importable.
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
    gc.freeze()  # a last collection takes up to half a second of processor time


def _run(process: SpawnProcess, ended: Connection[Any, Any]) -> str:
    """Runs a process to its end, and returns how it ended. If the pipe is closed, it ends the process itself."""
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
