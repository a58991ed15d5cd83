"""Stops the processes of one bot, and wakes them; never what keeps them, which must be able to kill them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bourre_referee.launch import lifeline
from bourre_referee.launch.processor import tree

_KEEPER = Path(lifeline.__file__).name.encode()
_PASSES = 3
"""A process that is being stopped may have started another one meanwhile."""


class Stopped:
    """Processes that stand still until they are woken; each is held by a file, so that no other is ever meant."""

    def __init__(self, started: int) -> None:
        """Stops all that runs below the lifeline of the process that was started.

        OSError, and all of them run, where this process may not open so many files.
        """
        self._held: dict[int, int] = {}
        try:
            self._hold_all(started)
        except OSError:
            self.wake()
            raise

    @property
    def processes(self) -> tuple[int, ...]:
        """Those that stand still."""
        return tuple(self._held)

    def wake(self) -> None:
        """Lets them run again; those that were killed meanwhile stay dead."""
        for held in self._held.values():
            _send(held, signal.SIGCONT)
            os.close(held)
        self._held.clear()

    def _hold_all(self, started: int) -> None:
        for _ in range(_PASSES):
            found = [process for process in below_lifeline(started) if process not in self._held]
            if not found:
                break
            for process in found:
                self._hold(process)

    def _hold(self, process: int) -> None:
        with suppress(ProcessLookupError):
            self._held[process] = os.pidfd_open(process)
            _send(self._held[process], signal.SIGSTOP)


def below_lifeline(started: int) -> Iterator[int]:
    """The bot and all that it started; nothing where no lifeline keeps them that this machine shows."""
    processes = tree(started)
    for process in processes:
        if _is_keeper(process):
            yield from (below for below in tree(process) if below != process)
            return


def _is_keeper(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(word.rpartition(b"/")[2] == _KEEPER for word in words[1:4]) and b"-IS" in words


def _send(held: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it is gone, or has become another user's
        signal.pidfd_send_signal(held, what)
