"""A worker process as its parent sees it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker

from bourre_referee.executors.reports import PlayRoom
from bourre_referee.executors.worker import GRACE_S, Failed, Played, work
from bourre_referee.spec import RoomSpec


class Worker:
    """A process of its own, and this end of the pipe to it."""

    def __init__(self, play_room: PlayRoom) -> None:
        # Not fork: it copies a process that may run threads. Not a pool: its workers outlive a parent that is killed.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, play_room), daemon=True)
        with _interrupts_held_back():
            self._process.start()
        # The worker alone holds its end from now on, so that either side hears when the other one is gone.
        theirs.close()

    @property
    def sentinel(self) -> int:
        """Ready when the process has ended."""
        return self._process.sentinel

    def give(self, room: RoomSpec) -> None:
        """Hands it a room to play."""
        try:
            self.pipe.send(room)
        except OSError:
            return  # it is dead: its sentinel is ready, and there will be no answer

    def answer(self) -> Played | Failed | None:
        """What it answered; None: it died without an answer."""
        try:
            answer: Played | Failed | None = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None
        return answer

    def stop(self) -> None:
        """Lets it end by closing its pipe; kills it when it has not ended after its grace and a second."""
        self.pipe.close()
        self._process.join(GRACE_S + 1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def death(self) -> str:
        """How it ended."""
        code = self._process.exitcode or 0
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"the worker process {how}"


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process started in here is deaf to Ctrl-C until it listens; this one hears it a moment later."""
    # It is started with the first process, and forgets that signals were held back.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
