"""Stops the processes of one bot, and wakes them; never what keeps them, which must be able to kill them."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

from bourre_referee.sandbox import supervisor as lifeline
from bourre_referee.sandbox.cpu_meter import tree

_KEEPER = Path(lifeline.__file__).name.encode()
_PASSES = 5
"""A process that is being stopped may have started another one meanwhile; who goes on so is not chased for ever."""


class Stopped:
    """Processes that stand still until they are woken; each is held by a file, so that no other is ever meant."""

    def __init__(self, started: int) -> None:
        """Stops all that runs below the lifeline of the process that was started.

        OSError, and all of them run, where this process may not open so many files.
        """
        self._started = started
        self._held: dict[int, int] = {}
        self._hold_all()

    @property
    def processes(self) -> tuple[int, ...]:
        """Those that stand still."""
        return tuple(self._held)

    def again(self) -> None:
        """Stops what has slipped away, from parent to child, and what that has woken; OSError as at first."""
        self._hold_all()
        for held in self._held.values():
            _send(held, signal.SIGSTOP)

    def wake(self) -> None:
        """Lets them run again; those that were killed meanwhile stay dead."""
        for held in self._held.values():
            _send(held, signal.SIGCONT)
            os.close(held)
        self._held.clear()

    def _hold_all(self) -> None:
        try:
            for _ in range(_PASSES):
                if not self._hold_found():
                    break
        except OSError:
            self.wake()
            raise

    def _hold_found(self) -> bool:
        found = set(below_lifeline(self._started))
        self._forget_ended(found)
        new = found - self._held.keys()
        for process in new:
            self._hold(process)
        return bool(new)

    def _forget_ended(self, found: Container[int]) -> None:
        """Those that are buried, too: another process may have their numbers by now."""
        poll = select.poll()
        for process, held in self._held.items():
            if process not in found:
                poll.register(held, select.POLLIN)
        ended = {held for held, _ in poll.poll(0)}
        for process in [process for process, held in self._held.items() if held in ended]:
            os.close(self._held.pop(process))

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
