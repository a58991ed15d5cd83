"""Turns: a bot that was seen using the processor while others are asked is stopped until it is asked itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bourre_referee.launch.log import Log
from bourre_referee.launch.stopping import Stopped

LOOK_SECONDS = 0.25
"""How often it is looked who uses the processor."""
ALLOWED_SHARE = 0.05
"""Of the time off turn: for what is left to do after an answer, and for answering the pings of the line."""
ALLOWED_SECONDS = 0.05
"""More than that in all; the system counts in steps of a hundredth of a second."""
BREATH_EVERY_SECONDS = 1.0
BREATH_SECONDS = 0.02
"""A stopped bot runs so long and so often: whoever answers no ping at all would lose its line."""
_COMPLAINT = "used the processor while others were asked"


class Runs(Protocol):
    """A bot that was launched."""

    ended: asyncio.Task[int]
    log: Log

    @property
    def pid(self) -> int:
        """Of the process that keeps it."""

    def processor_ms(self) -> float:
        """What it has used so far."""


class Timekeeper(Protocol):
    """An event loop, as far as it tells and keeps time."""

    def time(self) -> float:
        """Seconds, from any beginning."""

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        """Calls back after so many seconds."""


@dataclass(slots=True)
class Watched:
    """One launched bot: when it was on turn, what it used, and whether it is stopped."""

    process: Runs
    used: float
    """Seconds of processor time at the last look."""
    turn_began: float | None = None
    """None: it is off turn."""
    on_turn: float = 0.0
    """Seconds on turn since the last look."""
    excess: float = 0.0
    """Seconds of processor time beyond what was allowed, less what was left over since."""
    doubt: float = 0.0
    """The same if it never used more than one core on turn, as most bots do."""
    measured: bool = False
    """Whether what it uses is read at each turn, too, as there was doubt whether that was on turn or off."""
    used_on_turn: float = 0.0
    """Seconds of processor time on turn since the last look, where that is measured."""
    used_at_begin: float = 0.0
    """What it had used when its turn, or the look within it, began."""
    burns: bool = False
    """Whether it has been seen to use more than it may off turn; from then on it never runs there."""
    stopped: Stopped | None = None
    stopped_at: float = 0.0


class Turns:
    """Hears who is asked; stops and wakes bots."""

    def __init__(self, loop: Timekeeper, stop: Callable[[int], Stopped] = Stopped) -> None:
        self._loop = loop
        self._halt = stop
        self._bots: dict[str, Watched] = {}
        self._looked = loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, processes: Mapping[str, Runs]) -> None:
        """From here on these bots, which have all begun, are watched."""
        self._bots = {bot: Watched(process, _used(process)) for bot, process in processes.items()}
        self._looked = self._loop.time()
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def begin(self, bot: str) -> None:
        """This bot is about to be asked: it runs."""
        watched = self._bots.get(bot)
        if watched is None or watched.turn_began is not None:
            return
        self._wake(watched)
        if watched.measured:
            watched.used_at_begin = _used(watched.process)
        watched.turn_began = self._loop.time()

    def end(self, bot: str) -> None:
        """Nothing that this bot was asked is open any more."""
        watched = self._bots.get(bot)
        if watched is None or watched.turn_began is None:
            return
        watched.on_turn += self._loop.time() - max(watched.turn_began, self._looked)
        watched.turn_began = None
        if watched.measured:
            watched.used_on_turn += _used(watched.process) - watched.used_at_begin
        if watched.burns:
            self._stop(watched)

    def release(self) -> None:
        """Wakes all and watches nobody any more: they are to end."""
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
            self._looked = now
        finally:
            self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def _judge(self, watched: Watched, now: float) -> None:
        if watched.stopped and now - watched.stopped_at >= BREATH_EVERY_SECONDS:
            self._breathe(watched)
        on_turn = watched.on_turn
        if watched.turn_began is not None:
            on_turn += now - max(watched.turn_began, self._looked)
        before, watched.used, watched.on_turn = watched.used, _used(watched.process), 0.0
        if watched.stopped and watched.used > before:
            self._stop_again(watched, watched.stopped)
        used, allowed = watched.used - before, ALLOWED_SHARE * max(0.0, now - self._looked - on_turn)
        lawful = allowed + (self._on_turn(watched) if watched.measured else on_turn * (os.cpu_count() or 1))
        watched.excess = max(0.0, watched.excess + used - lawful)
        if not watched.burns and watched.excess > ALLOWED_SECONDS:
            self._catch(watched)
        watched.doubt = max(0.0, watched.doubt + used - on_turn - allowed)
        if watched.doubt > ALLOWED_SECONDS and not watched.measured and not watched.burns:
            watched.measured, watched.used_on_turn, watched.used_at_begin = True, 0.0, watched.used

    def _on_turn(self, watched: Watched) -> float:
        """Seconds of processor time on turn since the last look; from here on the next look's are counted."""
        used, watched.used_on_turn = watched.used_on_turn, 0.0
        if watched.turn_began is not None:
            used += watched.used - watched.used_at_begin
            watched.used_at_begin = watched.used
        return used

    def _catch(self, watched: Watched) -> None:
        watched.burns, watched.measured = True, False
        watched.process.log.note([f"{_COMPLAINT}, {watched.excess:.2f} s too much: from now on stopped off turn"])
        if watched.turn_began is None:
            self._stop(watched)

    def _breathe(self, watched: Watched) -> None:
        self._wake(watched)
        self._loop.call_later(BREATH_SECONDS, self._stop_if_off_turn, watched)

    def _stop_if_off_turn(self, watched: Watched) -> None:
        if watched.turn_began is None and watched in self._bots.values():
            self._stop(watched)

    def _stop(self, watched: Watched) -> None:
        if watched.stopped is not None or watched.process.ended.done():
            return
        try:
            watched.stopped, watched.stopped_at = self._halt(watched.process.pid), self._loop.time()
        except OSError as error:
            self._let_run(watched, error)

    def _stop_again(self, watched: Watched, stopped: Stopped) -> None:
        """Whoever runs although it is stopped does so in a process that it has started since."""
        try:
            stopped.again()
        except OSError as error:
            watched.stopped = None
            self._let_run(watched, error)

    def _let_run(self, watched: Watched, error: OSError) -> None:
        """Whoever has too many processes to be stopped is tried again when it is caught again."""
        watched.burns, watched.excess = False, 0.0
        watched.process.log.note([f"cannot be stopped ({error.strerror}): runs until it is seen doing so again"])

    def _wake(self, watched: Watched) -> None:
        if watched.stopped is not None:
            watched.stopped.wake()
            watched.stopped = None


def _used(process: Runs) -> float:
    return process.processor_ms() / 1000
