"""The wish that a run should end early: Ctrl-C, a signal to end, a terminal that closes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Whether somebody wants the run to end; entered, it hears signals (in the main thread only).

    The first signal counts and raises KeyboardInterrupt: at once, or at a moment that suits while it is `put_off`.
    All later ones are for naught, until the process ends: nothing can disturb the ending.
    """

    def __init__(self) -> None:
        self.asked = False
        self._put_off = False
        self._before: dict[signal.Signals, object] = {}
        self._ear, self._voice = os.pipe()

    def __enter__(self) -> Stop:
        for number in SIGNALS:
            # What is ignored stays so: by `nohup`, or for a program that a shell put into the background.
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.asked:
            return  # the process is on its way out
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]  # what getsignal gave
        os.close(self._ear)
        os.close(self._voice)

    def fileno(self) -> int:
        """Can be read from as soon as it is asked: something to wait for beside other things."""
        return self._ear

    def call_off(self) -> None:
        """Whoever waits for `fileno` should end now, since there is no need to go on; signals are heard as before."""
        os.write(self._voice, b".")

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Inside, who waits for `fileno` decides when to end; at the latest it is when this is left."""
        self._put_off = True
        try:
            yield
        finally:
            self._put_off = False
        if self.asked:
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            return
        self.asked = True
        os.write(self._voice, b".")
        if not self._put_off:
            raise KeyboardInterrupt
