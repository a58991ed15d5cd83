"""Host time: a clock that stands still while the host is starved of processor time, so that no bot is charged for it.

The referee's heartbeat measures starvation. If a beat is late by more than the tolerance, or if the referee waited
longer than that for a processor between two beats, no process on this host could rely on running during the rest of
the delay. That part is not charged to any bot. If it was a large part of a late bot's time, the room is discarded and
played again.

A hostile bot could burn enough processor time to delay the heartbeat, and be late on purpose, to discard a match that
it is about to lose. It gains nothing: the match is played again with the same cards, by new processes that (in a
sandbox) know nothing of the first attempt. After three attempts the contest stops with an error. The attack is also
hard. The referee sleeps between beats, so the scheduler runs it first. A sandbox limits a bot's processes and processor
time. And a bot that floods the referee with answers is cut off long before they fill a beat.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

BEAT_SECONDS = 0.05
TOLERATED_SECONDS = 0.05
"""The delay of a beat after which the host counts as starved. The referee never works that long without a pause."""

_SCHEDSTAT = "/proc/thread-self/schedstat"


class Loop(Protocol):
    """The methods of an asyncio event loop that this module uses."""

    def time(self) -> float:
        """The current time in seconds."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once, at this time."""


class HostTime:
    """The loop's time minus the seconds of starvation. See `Timekeeper`."""

    def __init__(self, loop: Loop, waited: Callable[[], float]) -> None:
        """`waited` returns the seconds for which this thread has waited for a processor."""
        self._loop = loop
        self._waited = waited
        self._waited_before = 0.0
        self._starved = 0.0
        self._due: float | None = None
        self._beat: asyncio.TimerHandle | None = None

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Runs the heartbeat inside the block. Without it, the time equals the loop's."""
        self._waited_before = self._waited()
        self._set_beat()
        try:
            yield
        finally:
            if self._beat is not None:
                self._beat.cancel()
            self._due = None

    def time(self) -> float:
        """Returns the current time in seconds. It may step back a little after a wait for a processor."""
        now = self._loop.time()
        return now - self._starved_until(now)

    async def wait(self, tasks: Iterable[asyncio.Task[Any]], seconds: float) -> None:
        """Waits for the first of these tasks, at most this many seconds of host time."""
        until = self.time() + seconds
        while (left := until - self.time()) > 0:
            done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return

    def starved_seconds(self) -> float:
        """Returns the total seconds of starvation."""
        return self._starved_until(self._loop.time())

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once, at this time, or earlier after starvation."""
        return self._loop.call_at(when + self.starved_seconds(), callback)

    def _starved_until(self, now: float) -> float:
        if self._due is None or now <= self._due:
            return self._starved
        return self._starved + _beyond_tolerance(now - self._due)

    def _on_beat(self) -> None:
        assert self._due is not None
        late, waited = self._loop.time() - self._due, self._waited()
        # Never more than the time that passed, because a match would not end if time stood still.
        waited_now = min(waited - self._waited_before, late + BEAT_SECONDS)
        self._starved += _beyond_tolerance(max(late, waited_now))
        self._waited_before = waited
        self._set_beat()

    def _set_beat(self) -> None:
        self._due = self._loop.time() + BEAT_SECONDS
        self._beat = self._loop.call_at(self._due, self._on_beat)


def waited_for_processor() -> float:
    """Returns the seconds for which this thread waited for a processor; 0 if the system does not report it."""
    try:
        file = os.open(_SCHEDSTAT, os.O_RDONLY)  # twenty reads a second: faster than `open`
    except FileNotFoundError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    finally:
        os.close(file)


def _beyond_tolerance(late: float) -> float:
    return max(0.0, late - TOLERATED_SECONDS)
