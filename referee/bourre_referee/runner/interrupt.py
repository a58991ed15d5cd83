"""Lets a run, and a wait of it, end early on Ctrl-C, on a signal, or when the terminal closes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from select import select
from time import sleep
from types import FrameType, TracebackType
from typing import TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Result = TypeVar("Result")


async def until_signal(playing: Coroutine[object, object, Result]) -> Result:
    """Plays, and cancels on SIGTERM and SIGHUP as asyncio does on SIGINT, so that the bots' processes end too."""
    task, loop = asyncio.ensure_future(playing), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as under `nohup`
            loop.add_signal_handler(number, task.cancel)
    return await task


class Stop:
    """Knows whether the run was asked to stop; while entered, it handles signals (in the main thread only).

    The first signal raises KeyboardInterrupt, at once or, inside `defer`, at a suitable moment. Later signals are
    ignored until the process ends, so that nothing disturbs the shutdown.
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
            return  # the process is on its way out
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]  # what getsignal gave
        os.close(self._read_end)
        os.close(self._write_end)

    def fileno(self) -> int:
        """Returns a descriptor that becomes readable once a stop is asked for, to wait for beside others."""
        return self._read_end

    def call_off(self) -> None:
        """Wakes whoever waits for `fileno`, because there is no need to go on; signals are handled as before."""
        os.write(self._write_end, b".")

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Defers KeyboardInterrupt to the end of the block; inside, the code that waits for `fileno` decides."""
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
    """Waits as long as it takes; a signal ends the wait."""

    def __init__(self, tell: Callable[[str], None], stop: Stop | None) -> None:
        self.tell = tell
        self._stop = stop

    def wait(self, seconds: float) -> bool:
        """Waits that long; False at once if the run was asked to stop."""
        if self._stop is None:
            sleep(seconds)
            return True
        return not self._stop.asked and not select([self._stop], [], [], seconds)[0]
