"""The time of the host, which stands still while the host is starved: no bot pays for that.

The referee's own heartbeat tells. A beat that comes late by more than the tolerance, or between two of which the
referee waited longer than that for a processor, means that for the rest of the lateness nobody here could count on
being run. That part is taken from every bot's time; and where it was a good part of what a late bot had, the room is
void and played again.

What a hostile bot could do with it: burn so much processor time that the referee's heartbeat falters, and be late on
purpose, so that a match which it is about to lose is void. It gains nothing by it: the match is played again with the
same cards, by fresh processes that know nothing of the first time where they run in a box, and after three attempts
the contest stops in words, instead of counting what nobody can judge. And it is hard: the referee sleeps between
beats, so the scheduler runs it first; a box bounds the processes and the processor time of a bot; and answers that
flood the referee cut off their bot long before they fill a beat.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

BEAT_SECONDS = 0.05
TOLERATED_SECONDS = 0.05
"""How late a beat may be before the host counts as starved: longer than the referee's own work at a stretch."""

_SCHEDSTAT = "/proc/thread-self/schedstat"


class Loop(Protocol):
    """What is needed of an asyncio event loop."""

    def time(self) -> float:
        """The time now, in seconds."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once at this time."""


class HostTime:
    """A loop's time less the seconds for which the host was starved; see `Timekeeper`."""

    def __init__(self, loop: Loop, waited: Callable[[], float]) -> None:
        """`waited` tells how many seconds this thread has waited for a processor so far."""
        self._loop = loop
        self._waited = waited
        self._waited_before = 0.0
        self._starved = 0.0
        self._due: float | None = None
        self._beat: asyncio.TimerHandle | None = None

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Listens to the heartbeat meanwhile; without it, the time is the loop's own."""
        self._waited_before = self._waited()
        self._set_beat()
        try:
            yield
        finally:
            if self._beat is not None:
                self._beat.cancel()
            self._due = None

    def time(self) -> float:
        """The time now, in seconds; it may go back a little when a wait for a processor comes to light."""
        now = self._loop.time()
        return now - self._starved_by(now)

    def starved(self) -> float:
        """For how many seconds the host was starved so far."""
        return self._starved_by(self._loop.time())

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once at this time, or before it if the host is starved meanwhile."""
        return self._loop.call_at(when + self.starved(), callback)

    def _starved_by(self, now: float) -> float:
        if self._due is None or now <= self._due:
            return self._starved
        return self._starved + _beyond_tolerance(now - self._due)

    def _heard(self) -> None:
        assert self._due is not None
        late, waited = self._loop.time() - self._due, self._waited()
        # Never more than has passed, whatever the system tells: time must go on, or a match would not end.
        waited_now = min(waited - self._waited_before, late + BEAT_SECONDS)
        self._starved += _beyond_tolerance(max(late, waited_now))
        self._waited_before = waited
        self._set_beat()

    def _set_beat(self) -> None:
        self._due = self._loop.time() + BEAT_SECONDS
        self._beat = self._loop.call_at(self._due, self._heard)


def waited_for_processor() -> float:
    """The seconds for which this thread was ready and had no processor; 0 where the system does not tell."""
    if not os.path.exists(_SCHEDSTAT):
        return 0.0
    with open(_SCHEDSTAT) as file:
        return int(file.read().split()[1]) / 1e9


def _beyond_tolerance(late: float) -> float:
    return max(0.0, late - TOLERATED_SECONDS)
