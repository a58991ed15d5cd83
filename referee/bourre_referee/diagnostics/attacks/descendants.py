"""Lists the processes below a process, and waits for their end."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def descendants_of(process: int) -> Iterator[int]:
    """Yields the process ids of all direct and indirect children of this process, and of its adopted orphans."""
    for child in children_of(process):
        yield child
        yield from descendants_of(child)


def children_of(process: int) -> list[int]:
    """Returns the process ids of the children that this process has not yet reaped, or none if it has ended."""
    children: list[str] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                children += (task / "children").read_text().split()
    return list(map(int, children))


class WatchedProcess:
    """Processes watched by handles, which no later process with the same id can take over."""

    def __init__(self, processes: Iterator[int]) -> None:
        self._handles: dict[int, int] = {}
        for process in processes:
            with suppress(ProcessLookupError):  # it has ended since it was listed
                self._handles[os.pidfd_open(process)] = process
        self.number = len(self._handles)

    def left_after(self, seconds: float) -> list[int]:
        """Waits for all to end, and returns those that have not after this time."""
        poll = select.poll()
        for handle in self._handles:
            poll.register(handle, select.POLLIN)
        while self._handles and (ended := poll.poll(seconds * 1000)):
            for handle, _ in ended:
                poll.unregister(handle)
                os.close(handle)
                del self._handles[handle]
        return list(self._handles.values())
