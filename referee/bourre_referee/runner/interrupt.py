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

    The first signal raises KeyboardInterrupt, or is deferred inside `defer`. Later signals are ignored until the
    process ends, so that nothing disturbs the shutdown.
    """

    def __init__(self) -> None:
        self.asked = False
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
        """Returns a descriptor that becomes readable when the run should stop."""
        return self._read_end

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
            self._deferred = False
        if self.asked:
            raise KeyboardInterrupt

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            return
        self.asked = True
        os.write(self._write_end, b".")
        if not self._deferred:
            raise KeyboardInterrupt


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
