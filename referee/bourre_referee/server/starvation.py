"""The time of the host, which stands still while the host is starved of processor time: no bot pays for that.

The referee's own heartbeat measures it. If a beat is late by more than the tolerance, or the referee waited longer
than that for a processor between two beats, then nobody on this host could count on being run for the rest of the
delay. That part is not charged to any bot; if it was a large part of a late bot's time, the room is void and played
again.

A hostile bot could burn so much processor time that the heartbeat falters, and be late on purpose, to void a match
that it is about to lose. It gains nothing: the match is played again with the same cards, by fresh processes that (in
a box) know nothing of the first attempt, and after three attempts the contest stops with an error instead of counting
a result that nobody can judge. It is also hard to do: the referee sleeps between beats, so the scheduler runs it
first; a box limits a bot's processes and processor time; and a bot that floods the referee with answers is cut off
long before they fill a beat.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

BEAT_SECONDS = 0.05
TOLERATED_SECONDS = 0.05
"""How late a beat may be before the host counts as starved: longer than the referee ever works without a pause."""

_SCHEDSTAT = "/proc/thread-self/schedstat"


class Loop(Protocol):
    """The part of an asyncio event loop that is used here."""

    def time(self) -> float:
        """The current time in seconds."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once, at this time."""


class HostTime:
    """The loop's time minus the seconds for which the host was starved; see `Timekeeper`."""

    def __init__(self, loop: Loop, waited: Callable[[], float]) -> None:
        """`waited` returns how many seconds this thread has waited for a processor so far."""
        self._loop = loop
        self._waited = waited
        self._waited_before = 0.0
        self._starved = 0.0
        self._due: float | None = None
        self._beat: asyncio.TimerHandle | None = None

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Keeps the heartbeat running meanwhile; without it, the time is the loop's own."""
        self._waited_before = self._waited()
        self._set_beat()
        try:
            yield
        finally:
            if self._beat is not None:
                self._beat.cancel()
            self._due = None

    def time(self) -> float:
        """The current time in seconds; it may step back a little when a wait for a processor is discovered."""
        now = self._loop.time()
        return now - self._starved_until(now)

    async def wait(self, tasks: Iterable[asyncio.Task[Any]], seconds: float) -> None:
        """Waits for the first of these tasks, for at most this many seconds of host time."""
        until = self.time() + seconds
        while (left := until - self.time()) > 0:
            done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return

    def starved_seconds(self) -> float:
        """How many seconds the host has been starved so far."""
        return self._starved_until(self._loop.time())

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once, at this time, or earlier if the host is starved meanwhile."""
        return self._loop.call_at(when + self.starved_seconds(), callback)

    def _starved_until(self, now: float) -> float:
        if self._due is None or now <= self._due:
            return self._starved
        return self._starved + _beyond_tolerance(now - self._due)

    def _on_beat(self) -> None:
        assert self._due is not None
        late, waited = self._loop.time() - self._due, self._waited()
        # Never more than has passed, whatever the system reports: time must go on, or a match would not end.
        waited_now = min(waited - self._waited_before, late + BEAT_SECONDS)
        self._starved += _beyond_tolerance(max(late, waited_now))
        self._waited_before = waited
        self._set_beat()

    def _set_beat(self) -> None:
        self._due = self._loop.time() + BEAT_SECONDS
        self._beat = self._loop.call_at(self._due, self._on_beat)


def waited_for_processor() -> float:
    """Seconds for which this thread was ready but had no processor; 0 if the system does not report it."""
    try:
        file = os.open(_SCHEDSTAT, os.O_RDONLY)  # read twenty times a second, so without the layers of `open`
    except FileNotFoundError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    finally:
        os.close(file)


def _beyond_tolerance(late: float) -> float:
    return max(0.0, late - TOLERATED_SECONDS)
