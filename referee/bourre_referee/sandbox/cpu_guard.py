"""Stops a bot that uses the processor during other bots' turns, until its own turn."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bot_log import Log
from bourre_referee.sandbox.cpu_meter import CpuMeter, MeteredProcess, tree

_SUPERVISOR = Path(supervisor.__file__).name.encode()
_PASSES = 5
"""The number of tries to stop processes that a bot keeps starting."""


class StoppedProcesses:
    """Processes that are stopped until they are woken. A pidfd for each keeps its id from being reused."""

    def __init__(self, started: int) -> None:
        """Stops everything below the supervisor of the started process.

        If this process may not open that many files, raises OSError and lets all of them run.
        """
        self._started = started
        self._held: dict[int, int] = {}
        self._hold_all()

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the stopped processes."""
        return tuple(self._held)

    def stop_again(self) -> None:
        """Stops new processes, and those that these woke. Raises OSError as the constructor does."""
        self._hold_all()
        for held in self._held.values():
            _send(held, signal.SIGSTOP)

    def wake(self) -> None:
        """Lets the processes run again, except those that were killed."""
        for held in self._held.values():
            _send(held, signal.SIGCONT)
            os.close(held)
        self._held.clear()

    def _hold_all(self) -> None:
        try:
            for _ in range(_PASSES):
                if not self._hold_found():
                    break
        except OSError:
            self.wake()
            raise

    def _hold_found(self) -> bool:
        found = set(below_supervisor(self._started))
        self._forget_ended(found)
        new = found - self._held.keys()
        for process in new:
            self._hold(process)
        return bool(new)

    def _forget_ended(self, found: Container[int]) -> None:
        """Closes the pidfds of ended processes, whose ids may be reused."""
        poll = select.poll()
        for process, held in self._held.items():
            if process not in found:
                poll.register(held, select.POLLIN)
        ended = {held for held, _ in poll.poll(0)}
        for process in [process for process, held in self._held.items() if held in ended]:
            os.close(self._held.pop(process))

    def _hold(self, process: int) -> None:
        with suppress(ProcessLookupError):
            self._held[process] = os.pidfd_open(process)
            _send(self._held[process], signal.SIGSTOP)


def below_supervisor(started: int) -> Iterator[int]:
    """Yields the bot and its descendants; none if this machine does not show their supervisor."""
    processes = tree(started)
    for process in processes:
        if _is_supervisor(process):
            yield from (below for below in tree(process) if below != process)
            return


def _is_supervisor(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(word.rpartition(b"/")[2] == _SUPERVISOR for word in words[1:4]) and b"-IS" in words


def _send(held: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it is gone, or now runs as another user
        signal.pidfd_send_signal(held, what)


LOOK_SECONDS = 0.25
"""The interval of checks of processor time."""
BREATH_EVERY_SECONDS = 1.0
BREATH_SECONDS = 0.02
"""The interval and the time for which a stopped bot may run, to answer pings and keep its connection."""
_COMPLAINT = "used the processor while others were asked"


class GuardedProcess(MeteredProcess, Protocol):
    """A running bot that the guard can watch and stop."""

    ended: asyncio.Task[int]
    log: Log

    @property
    def pid(self) -> int:
        """The id of the bot's keeper process."""


class CpuTimekeeper(Protocol):
    """The methods of an event loop that this module uses."""

    def time(self) -> float:
        """The current time in seconds."""

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        """Calls back after this many seconds."""


@dataclass(slots=True)
class WatchedBot:
    """A watched bot: its meter, and whether it is stopped."""

    process: GuardedProcess
    meter: CpuMeter
    stopped: StoppedProcesses | None = None
    stopped_at: float = 0.0


class CpuGuard:
    """Pauses bots that use the processor while they are not asked, and resumes them."""

    def __init__(
        self, loop: CpuTimekeeper, stop_processes: Callable[[int], StoppedProcesses] = StoppedProcesses
    ) -> None:
        self._loop = loop
        self._stop_processes = stop_processes
        self._bots: dict[str, WatchedBot] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, processes: Mapping[str, GuardedProcess]) -> None:
        """Starts to watch these bots, which have all started."""
        now = self._loop.time()
        self._bots = {bot: WatchedBot(process, CpuMeter(process, now)) for bot, process in processes.items()}
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def begin(self, bot: str) -> None:
        """Begins a bot's turn, before it is asked."""
        watched = self._bots.get(bot)
        if watched is None or watched.meter.on_turn:
            return
        self._wake(watched)
        watched.meter.begin(self._loop.time())

    def end(self, bot: str) -> None:
        """Ends a bot's turn, after its last open ask."""
        watched = self._bots.get(bot)
        if watched is None or not watched.meter.on_turn:
            return
        watched.meter.end(self._loop.time())
        if watched.meter.burns:  # once caught, it never runs off turn again
            self._stop(watched)

    def release(self) -> None:
        """Wakes all bots and stops watching, because they will end."""
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

    def _judge(self, watched: WatchedBot, now: float) -> None:
        if watched.stopped and now - watched.stopped_at >= BREATH_EVERY_SECONDS:
            self._breathe(watched)
        burnt = watched.meter.burns
        used = watched.meter.look(now)
        if watched.stopped and used > 0:
            self._stop_again(watched, watched.stopped)
        if watched.meter.burns and not burnt:
            self._catch(watched)

    def _catch(self, watched: WatchedBot) -> None:
        watched.process.log.note([f"{_COMPLAINT}, {watched.meter.excess:.2f} s too much: from now on stopped off turn"])
        if not watched.meter.on_turn:
            self._stop(watched)

    def _breathe(self, watched: WatchedBot) -> None:
        self._wake(watched)
        self._loop.call_later(BREATH_SECONDS, self._stop_if_off_turn, watched)

    def _stop_if_off_turn(self, watched: WatchedBot) -> None:
        if not watched.meter.on_turn and watched in self._bots.values():
            self._stop(watched)

    def _stop(self, watched: WatchedBot) -> None:
        if watched.stopped is not None or watched.process.ended.done():
            return
        try:
            watched.stopped, watched.stopped_at = self._stop_processes(watched.process.pid), self._loop.time()
        except OSError as error:
            self._let_run(watched, error)

    def _stop_again(self, watched: WatchedBot, stopped: StoppedProcesses) -> None:
        """Stops the new processes of a stopped bot that still uses the processor."""
        try:
            stopped.stop_again()
        except OSError as error:
            watched.stopped = None
            self._let_run(watched, error)

    def _let_run(self, watched: WatchedBot, error: OSError) -> None:
        """Lets a bot with too many processes to stop run, until it is caught again."""
        watched.meter.forgive()
        watched.process.log.note([f"cannot be stopped ({error.strerror}): runs until it is seen doing so again"])

    def _wake(self, watched: WatchedBot) -> None:
        if watched.stopped is not None:
            watched.stopped.wake()
            watched.stopped = None
