"""Stops and wakes the processes of one bot, but not their supervisor, which must be able to kill them."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.cpu_meter import tree

_SUPERVISOR = Path(supervisor.__file__).name.encode()
_PASSES = 5
"""How often to look for processes that a bot started while it was being stopped, before giving up."""


class StoppedProcesses:
    """Processes that are stopped until they are woken; each is held by a pidfd, so that its id cannot be reused."""

    def __init__(self, started: int) -> None:
        """Stops everything below the supervisor of the process that was started.

        Raises OSError, and lets all of them run, if this process may not open that many files.
        """
        self._started = started
        self._held: dict[int, int] = {}
        self._hold_all()

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the stopped processes."""
        return tuple(self._held)

    def stop_again(self) -> None:
        """Stops processes started since, and those that these woke; raises OSError as the constructor does."""
        self._hold_all()
        for held in self._held.values():
            _send(held, signal.SIGSTOP)

    def wake(self) -> None:
        """Lets the processes run again; those killed meanwhile stay dead."""
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
        found = set(below_supervisor(self._started))
        self._forget_ended(found)
        new = found - self._held.keys()
        for process in new:
            self._hold(process)
        return bool(new)

    def _forget_ended(self, found: Container[int]) -> None:
        """Closes the pidfds of processes that ended; another process may have their ids by now."""
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


def below_supervisor(started: int) -> Iterator[int]:
    """Yields the bot and all that it started; nothing if this machine shows no supervisor of theirs."""
    processes = tree(started)
    for process in processes:
        if _is_supervisor(process):
            yield from (below for below in tree(process) if below != process)
            return


def _is_supervisor(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(word.rpartition(b"/")[2] == _SUPERVISOR for word in words[1:4]) and b"-IS" in words


def _send(held: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it is gone, or now runs as another user
        signal.pidfd_send_signal(held, what)
