"""An event loop whose clock jumps to the next timer once nothing is left to do: hours pass within milliseconds."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: what it was to wait for has passed at once."""

    def __init__(self) -> None:
        super().__init__()
        self.passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("everything waits for something that is never going to happen")
        if not ready and timeout:
            self.passed += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._waited = _Selector()
        super().__init__(self._waited)

    def time(self) -> float:
        return self._waited.passed


def run(simulated: Coroutine[None, None, T]) -> T:
    """Runs a coroutine like `asyncio.run`, in simulated time that begins at 0."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(simulated)
