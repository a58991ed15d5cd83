"""The parent's side of a worker process."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from bourre_referee.runner.worker_main import GRACE_S, Alive
from bourre_referee.storage.files.child_process import how_it_ended

BEAT_S = 10.0
"""The interval, in seconds, at which a silent worker is asked whether it is alive."""

BEATS = 6
"""The beats that a worker may miss before it is given up. A live one answers within milliseconds."""

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
"""The program of a worker. It moves the pipe away from standard input, so that no bot inherits it.

PR_SET_PDEATHSIG (1) wakes a stopped worker when its parent dies, so that it finds the pipe closed.
"""


class Worker:
    """A worker process and this end of the pipe to it.

    It does not use `multiprocessing`: its pools outlive a killed parent, its forks copy threads, and its spawned
    processes run the caller's main module again.
    """

    def __init__(self, work: Callable[[Connection[Any, Any]], None], environment: Mapping[str, str]) -> None:
        """Starts a process that imports `work` by name and calls it with the other end of the pipe.

        `environment` is added to its environment. Raises OSError if the host cannot start it.
        """
        self.pipe, theirs = Pipe()
        set_timeout(self.pipe, BEAT_S * BEATS)
        # A new session, because the parent handles Ctrl-C. Its output goes to stderr, never to stdout.
        command = [sys.executable, "-c", START]
        self._process = subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=2, start_new_session=True, env={**os.environ, **environment}
        )
        # Now only the worker has its end, so each side notices when the other is gone.
        theirs.close()
        self._beat = monotonic()
        self._missed = 0
        self._released = 0.0
        self.give(sys.path)
        self.give(work)

    @property
    def process(self) -> int:
        """The id of the process."""
        return self._process.pid

    def give(self, what: object) -> None:
        """Sends the worker a message, such as a room to play."""
        try:
            self.pipe.send(what)
        except OSError:
            return  # the worker is dead or hangs, which its missing answer shows

    def answer(self) -> object | None:
        """Waits for a message of the worker, and returns it; None if the worker died or stopped within one."""
        try:
            answer: object = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self._missed = 0
        return answer

    def hangs(self) -> bool:
        """Whether the worker was silent for too long. Call it at least once a beat.

        It counts beats, not seconds, because the whole machine may pause.
        """
        if monotonic() - self._beat >= BEAT_S:
            self._beat = monotonic()
            if not self._missed:
                self.give(Alive())
            self._missed += 1
        return self._missed > BEATS

    def release(self) -> None:
        """Lets the worker end by closing its pipe, which cancels its room."""
        self.pipe.close()
        self._released = monotonic()

    def stop(self) -> None:
        """Waits for the end of a released worker. Kills it a second after its grace period."""
        try:
            self._process.wait(max(0.0, self._released + GRACE_S + 1 - monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the worker at once. Its bots' supervisors then end the bots."""
        self._process.kill()
        self._process.wait()

    def describe_death(self) -> str:
        """Returns a sentence about how the worker ended."""
        return f"the worker process {how_it_ended(self._process.returncode)}"


def set_timeout(pipe: Connection[Any, Any], seconds: float) -> None:
    """Limits the time of a read or write, because a process can stop in the middle of a message."""
    limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))  # a timeval
    with socket.socket(fileno=os.dup(pipe.fileno())) as same:
        same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
