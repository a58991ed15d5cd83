"""Stops a bot that uses the processor while others are asked, until it is asked itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bourre_referee.sandbox.bot_log import Log
from bourre_referee.sandbox.cpu_meter import CpuMeter, MeteredProcess
from bourre_referee.sandbox.suspension import StoppedProcesses

LOOK_SECONDS = 0.25
"""How often the guard checks who uses the processor."""
BREATH_EVERY_SECONDS = 1.0
BREATH_SECONDS = 0.02
"""How often, and for how long, a stopped bot may run, so that it answers pings and keeps its connection."""
_COMPLAINT = "used the processor while others were asked"


class GuardedProcess(MeteredProcess, Protocol):
    """A running bot that the guard can watch and stop."""

    ended: asyncio.Task[int]
    log: Log

    @property
    def pid(self) -> int:
        """The id of the process that keeps the bot."""


class Timekeeper(Protocol):
    """The part of an event loop that is used here."""

    def time(self) -> float:
        """The current time in seconds."""

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        """Calls back after this many seconds."""


@dataclass(slots=True)
class Watched:
    """A watched bot: its meter, and whether it is stopped."""

    process: GuardedProcess
    meter: CpuMeter
    stopped: StoppedProcesses | None = None
    stopped_at: float = 0.0


class CpuGuard:
    """Follows who is asked, and stops and wakes bots."""

    def __init__(self, loop: Timekeeper, stop_processes: Callable[[int], StoppedProcesses] = StoppedProcesses) -> None:
        self._loop = loop
        self._stop_processes = stop_processes
        self._bots: dict[str, Watched] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, processes: Mapping[str, GuardedProcess]) -> None:
        """Starts to watch these bots, all of which have started."""
        now = self._loop.time()
        self._bots = {bot: Watched(process, CpuMeter(process, now)) for bot, process in processes.items()}
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def begin(self, bot: str) -> None:
        """Begins a bot's turn: it is about to be asked, so it may run."""
        watched = self._bots.get(bot)
        if watched is None or watched.meter.on_turn:
            return
        self._wake(watched)
        watched.meter.begin(self._loop.time())

    def end(self, bot: str) -> None:
        """Ends a bot's turn: none of its asks is open any more."""
        watched = self._bots.get(bot)
        if watched is None or not watched.meter.on_turn:
            return
        watched.meter.end(self._loop.time())
        if watched.meter.burns:  # once caught, it never runs off turn again
            self._stop(watched)

    def release(self) -> None:
        """Wakes all bots and watches none any more, as they are to end."""
        if self._timer:
            self._timer.cancel()
        for watched in self._bots.values():
            self._wake(watched)
        self._bots = {}

    def _look(self) -> None:
        now = self._loop.time()
        try:
            for watched in self._bots.values():
                self._judge(watched, now)
        finally:
            self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def _judge(self, watched: Watched, now: float) -> None:
        if watched.stopped and now - watched.stopped_at >= BREATH_EVERY_SECONDS:
            self._breathe(watched)
        burnt = watched.meter.burns
        used = watched.meter.look(now)
        if watched.stopped and used > 0:
            self._stop_again(watched, watched.stopped)
        if watched.meter.burns and not burnt:
            self._catch(watched)

    def _catch(self, watched: Watched) -> None:
        watched.process.log.note([f"{_COMPLAINT}, {watched.meter.excess:.2f} s too much: from now on stopped off turn"])
        if not watched.meter.on_turn:
            self._stop(watched)

    def _breathe(self, watched: Watched) -> None:
        self._wake(watched)
        self._loop.call_later(BREATH_SECONDS, self._stop_if_off_turn, watched)

    def _stop_if_off_turn(self, watched: Watched) -> None:
        if not watched.meter.on_turn and watched in self._bots.values():
            self._stop(watched)

    def _stop(self, watched: Watched) -> None:
        if watched.stopped is not None or watched.process.ended.done():
            return
        try:
            watched.stopped, watched.stopped_at = self._stop_processes(watched.process.pid), self._loop.time()
        except OSError as error:
            self._let_run(watched, error)

    def _stop_again(self, watched: Watched, stopped: StoppedProcesses) -> None:
        """Stops the new processes of a stopped bot that still uses the processor."""
        try:
            stopped.stop_again()
        except OSError as error:
            watched.stopped = None
            self._let_run(watched, error)

    def _let_run(self, watched: Watched, error: OSError) -> None:
        """Lets a bot run that has too many processes to be stopped, until it is caught again."""
        watched.meter.forgive()
        watched.process.log.note([f"cannot be stopped ({error.strerror}): runs until it is seen doing so again"])

    def _wake(self, watched: Watched) -> None:
        if watched.stopped is not None:
            watched.stopped.wake()
            watched.stopped = None
