"""The processes below a process, and waiting for their end."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def descendants_of(process: int) -> Iterator[int]:
    """The process ids of everything that this process has started, directly or not."""
    for child in children_of(process):
        yield child
        yield from descendants_of(child)


def started_since(before: set[int]) -> Iterator[int]:
    """What this process has started, besides what it had before: tests that ran earlier may have left something."""
    return (child for child in descendants_of(os.getpid()) if child not in before)


def children_of(process: int) -> list[int]:
    """The process ids of what this process has started and not yet buried; none where it ends meanwhile."""
    children: list[str] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                children += (task / "children").read_text().split()
    return list(map(int, children))


@contextmanager
def no_child_left() -> Iterator[None]:
    """What is started within must have ended, and been buried, at the end.

    A child of before does not count: a test that ran earlier may have left the resource tracker of multiprocessing.
    """
    before = set(children_of(os.getpid()))
    yield
    assert set(children_of(os.getpid())) <= before


class Watched:
    """Processes that are watched from now on, by handles that no later process of the same id can take."""

    def __init__(self, processes: Iterator[int]) -> None:
        self._handles = {os.pidfd_open(process): process for process in processes}
        self.number = len(self._handles)

    def left_after(self, seconds: float) -> list[int]:
        """Waits until all have ended; those that have not by then."""
        poll = select.poll()
        for handle in self._handles:
            poll.register(handle, select.POLLIN)
        while self._handles and (ended := poll.poll(seconds * 1000)):
            for handle, _ in ended:
                poll.unregister(handle)
                os.close(handle)
                del self._handles[handle]
        return list(self._handles.values())
