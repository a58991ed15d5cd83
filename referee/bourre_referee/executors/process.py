"""A worker process as its parent sees it."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from multiprocessing import Pipe

from bourre_referee.executors.reports import PlayRoom
from bourre_referee.executors.worker import GRACE_S, Failed, Played, work
from bourre_referee.spec import RoomSpec

START = """
import os, sys
from multiprocessing.connection import Connection
pipe = Connection(os.dup(0))
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
sys.path[:] = pipe.recv()
pipe.recv()(pipe)
"""
"""What a worker runs. The pipe comes as its standard input and is moved away, so that no bot inherits it."""


class Worker:
    """A process of its own, and this end of the pipe to it.

    Not by `multiprocessing`: its pools outlive a parent that is killed, its forks copy threads, and its spawned
    processes run the caller's main module once more.
    """

    def __init__(self, play_room: PlayRoom) -> None:
        self.pipe, theirs = Pipe()
        # A session of its own: Ctrl-C in a terminal is the parent's to decide about. Nothing of it goes to stdout.
        command = [sys.executable, "-c", START]
        self._process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=2, start_new_session=True)
        # The worker alone holds its end from now on, so that either side hears when the other one is gone.
        theirs.close()
        self._send(sys.path)
        self._send(partial(work, play_room=play_room))

    def give(self, room: RoomSpec) -> None:
        """Hands it a room to play."""
        self._send(room)

    def answer(self) -> Played | Failed | None:
        """What it answers; waits for it. None: it died without an answer."""
        try:
            answer: Played | Failed = self.pipe.recv()
        except (EOFError, OSError):
            return None
        return answer

    def stop(self) -> None:
        """Lets it end by closing its pipe; kills it when it has not ended after its grace and a second."""
        self.pipe.close()
        try:
            self._process.wait(GRACE_S + 1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def death(self) -> str:
        """How it ended."""
        code = self._process.returncode
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"the worker process {how}"

    def _send(self, what: object) -> None:
        try:
            self.pipe.send(what)
        except OSError:
            return  # it is dead: there will be no answer, which says so
