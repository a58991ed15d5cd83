"""Ends a run or a wait early on Ctrl-C, on a signal, or when the terminal closes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from select import select
from time import sleep
from types import FrameType, TracebackType
from typing import TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Result = TypeVar("Result")


async def until_signal(playing: Coroutine[object, object, Result]) -> Result:
    """Awaits `playing`, and cancels it on SIGTERM and SIGHUP too, so that the bots' processes end."""
    task, loop = asyncio.ensure_future(playing), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # `nohup` ignores it
            loop.add_signal_handler(number, task.cancel)
    return await task


class Stop:
    """Stores whether the run should stop. In a `with` block, it handles signals (in the main thread only).

    The first signal raises KeyboardInterrupt, or is deferred inside `defer`. There, SIGTERM begins a grace period, in
    which rooms in play may end. Another signal ends it. Later signals are ignored until the process ends, so that
    nothing disturbs the shutdown.
    """

    def __init__(self, grace_s: float = 0.0) -> None:
        """`grace_s` are the seconds of the grace period."""
        self.asked = False
        self.terminated = False
        """Whether SIGTERM asked."""
        self.finishing = False
        """Whether rooms in play may still end, and no room may begin."""
        self._grace_s = grace_s
        self._deferred = False
        self._before: dict[signal.Signals, object] = {}
        self._read_end, self._write_end = os.pipe()

    def __enter__(self) -> Stop:
        for number in SIGNALS:
            # Signals ignored by `nohup`, or by a shell for a background program, stay ignored.
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.asked:
            return  # the process is already ending
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]  # from getsignal
        os.close(self._read_end)
        os.close(self._write_end)

    def fileno(self) -> int:
        """Returns a descriptor that becomes readable when `heed` should be called."""
        return self._read_end

    def heed(self, *, in_play: bool) -> None:
        """Raises KeyboardInterrupt if the run should stop now. `in_play` is whether rooms are in play."""
        if self.finishing and in_play and self._is_readable():
            os.read(self._read_end, 64)  # otherwise it would wake the next wait
        if (self.asked or self._is_readable()) and not (self.finishing and in_play):
            raise KeyboardInterrupt

    def call_off(self) -> None:
        """Makes `fileno` readable, because there is no need to go on. It does not change the handling of signals."""
        os.write(self._write_end, b".")

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Defers KeyboardInterrupt to the end of the block. The code inside can wait for `fileno`."""
        self._deferred = True
        try:
            yield
        finally:
            self._deferred = self.finishing = False
            if self.terminated and self._grace_s:
                signal.setitimer(signal.ITIMER_REAL, 0)
        if self.asked:
            raise KeyboardInterrupt

    def _is_readable(self) -> bool:
        return bool(select([self], [], [], 0)[0])

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            self._end_grace()
            return
        self.asked = True
        self.terminated = number == signal.SIGTERM
        self.finishing = self.terminated and self._deferred and self._grace_s > 0
        os.write(self._write_end, b".")
        if self.finishing:
            signal.signal(signal.SIGALRM, self._on_signal)
            signal.setitimer(signal.ITIMER_REAL, self._grace_s)
        if not self._deferred:
            raise KeyboardInterrupt

    def _end_grace(self) -> None:
        if self.finishing:
            self.finishing = False
            os.write(self._write_end, b".")


class InterruptibleWait:
    """A wait that a signal ends."""

    def __init__(
        self,
        tell: Callable[[str], None],
        stop: Stop | None,
        now: Callable[[], datetime] | None = lambda: datetime.now(UTC),
    ) -> None:
        """Without `now`, `tell` itself adds the time."""
        self._tell = tell
        self._stop = stop
        self._now = now

    def tell(self, text: str) -> None:
        """Tells the user the reason of the wait."""
        self._tell(f"{self._now():%Y-%m-%d %H:%M:%S} UTC: {text}" if self._now else text)

    def wait(self, seconds: float) -> bool:
        """Waits this long, and returns True. Returns False at once if the run should stop."""
        if self._stop is None:
            sleep(seconds)
            return True
        return not self._stop.asked and not select([self._stop], [], [], seconds)[0]
