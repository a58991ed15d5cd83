"""An event loop whose time jumps to the next timer as soon as no task can run."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable


class StandsStill(Exception):
    """All tasks wait without a timer, or time has run beyond the limit."""


class _Skips(selectors.SelectSelector):
    """A selector that reports how long it would have waited, instead of waiting."""

    def __init__(self, skip: Callable[[float | None], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout != 0:
            self._skip(timeout)
        return []


class SkippingLoop(asyncio.SelectorEventLoop):
    """A deterministic loop, as fast as the code in it. No task may wait for anything outside.

    Raises StandsStill from whatever is run in it, when its time is over or nothing can happen any more.
    """

    def __init__(self, seconds: float) -> None:
        self._now = 0.0
        self._end = seconds
        super().__init__(_Skips(self._skip))

    def time(self) -> float:
        return self._now

    def end(self) -> None:
        """Cancels all running tasks, and those that they start, and close."""
        self._end = float("inf")
        while pending := asyncio.all_tasks(self):
            for task in pending:
                task.cancel()
            self.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        self.close()

    def _skip(self, seconds: float | None) -> None:
        if seconds is None or self._now > self._end:
            raise StandsStill(f"after {self._now:.1f} s everybody waits")
        self._now += seconds
