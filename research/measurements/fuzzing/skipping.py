"""An event loop whose time jumps to the next timer as soon as nobody has anything to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable


class StandsStill(Exception):
    """Everybody waits, and no timer will wake anybody; or they do so for ever."""


class _Skips(selectors.SelectSelector):
    """Instead of waiting for sockets, tells how long it would have waited."""

    def __init__(self, skip: Callable[[float | None], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout != 0:
            self._skip(timeout)
        return []


class SkippingLoop(asyncio.SelectorEventLoop):
    """Deterministic, and as fast as the code that runs in it. Nothing in it may wait for the outside.

    Raises StandsStill from whatever is run in it, when its time is over or nothing can happen any more.
    """

    def __init__(self, seconds: float) -> None:
        self._now = 0.0
        self._end = seconds
        super().__init__(_Skips(self._skip))

    def time(self) -> float:
        return self._now

    def end(self) -> None:
        """Cancels what is still running, and what that starts in its turn, and closes."""
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
