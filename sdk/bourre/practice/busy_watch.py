"""Ends practice with a bot that is stuck in one decision, and finds the line."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import monotonic
from types import FrameType

from bourre.practice.loop_thread import THREAD_NAME
from bourre.practice.mistake import Stuck

_LOOK_EVERY = 0.5
"""Seconds between two checks of the bots."""


@contextmanager
def end_when_stuck(folders: Collection[Path], seconds: float) -> Iterator[None]:
    """Raises Stuck once a bot in these folders has been busy with one call for this many seconds.

    A debugged bot has no limit. Call this function in the main thread.
    """
    over = threading.Event()
    watch = _Watch(folders, seconds, over)
    watch.start()
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if not watch.found:
            raise
        raise Stuck("\n".join([watch.found, *getattr(interrupt, "__notes__", ())])) from None
    finally:
        over.set()
        watch.join()


class LastingCall:
    """Measures the duration of the call that was seen last."""

    def __init__(self) -> None:
        self._call: object = None
        self._since = 0.0

    def seconds(self, call: object, now: float) -> float:
        """Returns how long this call has been seen; None stands for no call."""
        if call is None or call is not self._call:
            self._call, self._since = call, now
            return -inf
        return now - self._since


class _Watch(threading.Thread):
    """Watches the stacks of the main thread and of the thread of `async` bots."""

    def __init__(self, folders: Collection[Path], seconds: float, over: threading.Event) -> None:
        super().__init__(name="bourre practice watch", daemon=True)
        self.found = ""
        """The message about a stuck bot."""
        self._folders = folders
        self._seconds = seconds
        self._over = over

    def run(self) -> None:
        """Interrupts the main thread once a bot is stuck."""
        call = LastingCall()
        while not self._over.wait(_LOOK_EVERY):
            frames = self._frames()
            if call.seconds(frames[-1] if frames else None, monotonic()) >= self._seconds:
                file, line = Path(frames[0].f_code.co_filename).name, frames[0].f_lineno
                self.found = f"{file}, line {line}: still busy after {self._seconds:g} s"
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                return

    def _frames(self) -> list[FrameType]:
        """Returns the frames in a bot's files, the innermost first; none while the bot is debugged."""
        threads = [thread for thread in threading.enumerate() if thread.name in ("MainThread", THREAD_NAME)]
        stacks = [list(_stack(thread.ident)) for thread in threads]
        if any(frame.f_globals.get("__name__") == "bdb" for stack in stacks for frame in stack):
            return []
        theirs = ([frame for frame in stack if self._is_theirs(frame)] for stack in stacks)
        return next(filter(None, theirs), [])

    def _is_theirs(self, frame: FrameType) -> bool:
        return Path(frame.f_code.co_filename).parent in self._folders


def _stack(thread: int | None) -> Iterator[FrameType]:
    frame = sys._current_frames().get(thread or 0)
    while frame is not None:
        yield frame
        frame = frame.f_back
