"""Keeps the server from ending a session of a process that lives but is busy."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Self

BEAT_S = 1.0
"""The seconds between two signs of life."""


class SessionBeat:
    """Gives signs of life in a `with` block, from a thread. A stopped process gives none, so its session ends."""

    def __init__(self, sign: Callable[[], bool]) -> None:
        """`sign` gives one sign of life, and returns whether further ones make sense. It raises nothing."""
        self._sign = sign
        self._ended = Event()
        self._thread = Thread(target=self._beat, name="session beat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_S):
            if not self._sign():
                return
