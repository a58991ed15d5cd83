"""The state of one end of a covert channel between two bits."""

from __future__ import annotations

import ctypes
import os
import signal
import threading

LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """Returns the result of a function of the C library. Raises OSError if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class CovertEnd:
    """The files, threads and processes that a program holds to send a bit, and its state before it receives one."""

    def __init__(self) -> None:
        self._before = -1
        self._held: list[int] = []
        self._waiting: list[tuple[threading.Event, threading.Thread]] = []
        self._children: list[int] = []

    def _hold(self, file: int) -> int:
        self._held.append(file)
        return file

    def _child(self) -> int:
        child = os.fork()
        if child == 0:
            signal.pause()
        return child

    def release(self) -> None:
        """Releases all of them."""
        self._before = -1
        while self._held:
            os.close(self._held.pop())
        while self._waiting:
            end, thread = self._waiting.pop()
            end.set()
            thread.join()
        while self._children:
            child = self._children.pop()
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
