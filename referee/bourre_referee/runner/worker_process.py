"""A worker process as its parent sees it."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.room_reports import PlayRoom
from bourre_referee.runner.worker import GRACE_S, Alive, Failed, Played, work

BEAT_S = 10.0
"""How often a worker that says nothing is asked whether it is alive."""

BEATS = 6
"""How many of these it may let pass before it is given up. A live one answers within milliseconds, however busy."""

START = """
import os, sys
from multiprocessing.connection import Connection
if sys.platform == "linux":
    import ctypes, signal
    ctypes.CDLL(None).prctl(1, signal.SIGCONT)
pipe = Connection(os.dup(0))
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
try:
    sys.path[:] = pipe.recv()
    work = pipe.recv()
except EOFError:
    sys.exit()
work(pipe)
"""
"""What a worker runs. The pipe comes as its standard input and is moved away, so that no bot inherits it.

PR_SET_PDEATHSIG (1): a worker that was stopped wakes up when its parent dies, and then finds the pipe closed.
"""


class Worker:
    """A process of its own, and this end of the pipe to it.

    Not by `multiprocessing`: its pools outlive a parent that is killed, its forks copy threads, and its spawned
    processes run the caller's main module once more.
    """

    def __init__(self, play_room: PlayRoom, environment: Mapping[str, str]) -> None:
        """Starts it with these variables added to the environment; raises OSError where the host cannot."""
        self.pipe, theirs = Pipe()
        bound(self.pipe, BEAT_S * BEATS)
        # A session of its own: Ctrl-C in a terminal is the parent's to decide about. Nothing of it goes to stdout.
        command = [sys.executable, "-c", START]
        self._process = subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=2, start_new_session=True, env={**os.environ, **environment}
        )
        # The worker alone holds its end from now on, so that either side hears when the other one is gone.
        theirs.close()
        self._beat = monotonic()
        self._missed = 0
        self._released = 0.0
        self._send(sys.path)
        self._send(partial(work, play_room=play_room))

    def give(self, room: RoomSpec) -> None:
        """Hands it a room to play."""
        self._send(room)

    def answer(self) -> Played | Failed | Alive | None:
        """What it says; waits for it. None: it died, or stopped in the middle of a word."""
        try:
            answer: Played | Failed | Alive = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self._missed = 0
        return answer

    def hangs(self) -> bool:
        """Whether it gave no sign of life for too long; to be asked at least once a beat.

        Beats are counted, not seconds: when the whole machine pauses, this process included, nobody was silent.
        """
        if monotonic() - self._beat >= BEAT_S:
            self._beat = monotonic()
            if not self._missed:
                self._send(Alive())
            self._missed += 1
        return self._missed > BEATS

    def release(self) -> None:
        """Lets it end, by closing its pipe: whatever it plays is cancelled."""
        self.pipe.close()
        self._released = monotonic()

    def stop(self) -> None:
        """Waits for its end once it was released; kills it when its grace and a second are over."""
        try:
            self._process.wait(max(0.0, self._released + GRACE_S + 1 - monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Ends it at once; its bots end with it, by their lifelines."""
        self._process.kill()
        self._process.wait()

    def death(self) -> str:
        """How it ended."""
        code = self._process.returncode
        how = f"was killed by {_named(-code)}" if code < 0 else f"ended with exit code {code}"
        return f"the worker process {how}"

    def _send(self, what: object) -> None:
        try:
            self.pipe.send(what)
        except OSError:
            return  # it is dead, or hangs: there will be no answer, which says so


def _named(number: int) -> str:
    """The name of a signal; Python has none for most of the real-time ones."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def bound(pipe: Connection[Any, Any], seconds: float) -> None:
    """Lets no reading or writing take longer: a process can also stop in the middle of a message."""
    limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))  # a timeval
    with socket.socket(fileno=os.dup(pipe.fileno())) as same:
        same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
