"""A worker process, which plays one room at a time and ends with its parent, and the parent's handle of it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
import subprocess
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotsAway, MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.storage.files.child_process import how_it_ended

GRACE_S = 5.0
"""The seconds in which a cancelled room must stop its bots, before the process ends."""

BEAT_S = 10.0
"""The interval, in seconds, at which a silent worker is asked whether it is alive."""

BEATS = 6
"""The beats that a worker may miss before it is given up. A live one answers within milliseconds."""


@dataclass(frozen=True, slots=True)
class Played:
    """The answer for a finished room."""

    outcomes: tuple[MatchOutcome, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer for a room that could not be played."""

    reason: str
    away: tuple[str, ...] = ()
    """The bots that were away at its start."""


@dataclass(frozen=True, slots=True)
class Alive:
    """The parent's question whether the worker is alive, and the answer, which comes even during a room."""


PlayRoom = Callable[[RoomSpec], Awaitable[Sequence[MatchOutcome]]]
"""Plays the matches of a room. A worker process must be able to import it. It may raise RoomFailed."""


async def play_room(spec: RoomSpec, site: Site) -> Sequence[MatchOutcome]:
    """Plays a room at a site of this machine. It imports gRPC, which is loaded only here."""
    from bourre_referee.server import room

    return await room.play_room(site.place(spec))


def work(pipe: Connection[Any, Any], play_room: PlayRoom) -> None:
    """Plays the rooms from the pipe until the pipe closes or SIGTERM arrives.

    A closed pipe means that the parent is done or dead. It cancels the current room.
    """
    with suppress(asyncio.CancelledError):
        asyncio.run(_RoomPlayer(pipe, play_room).run())


class _RoomPlayer:
    def __init__(self, pipe: Connection[Any, Any], play_room: PlayRoom) -> None:
        self._parent = Parent(pipe, self._take)
        self._play_room = play_room
        self._rooms: asyncio.Queue[RoomSpec] = asyncio.Queue()

    async def run(self) -> None:
        self._parent.listen()
        while True:
            self._parent.send(await play_or_fail(self._play_room(await self._rooms.get())))

    def _take(self, message: object) -> None:
        assert isinstance(message, RoomSpec)
        self._rooms.put_nowait(message)


async def play_or_fail(playing: Awaitable[Sequence[MatchOutcome]]) -> Played | Failed:
    """Awaits the end of a room. A failure of the host or of the referee becomes an answer too."""
    try:
        return Played(tuple(await playing))
    except BotsAway as error:
        return Failed(str(error), error.bots)
    except RoomFailed as error:
        return Failed(str(error))
    except Exception:
        return Failed(traceback.format_exc())


class Parent:
    """The parent of this process. If it is gone, the current task is cancelled."""

    def __init__(
        self, pipe: Connection[Any, Any], take: Callable[[object], None], outbox: Executor | None = None
    ) -> None:
        """`take` gets each message, except questions whether this process is alive: these are answered here.

        An `outbox` of one thread sends, so nothing here waits for a busy parent.
        """
        self._pipe = pipe
        self._take = take
        self._outbox = outbox
        self._task: asyncio.Task[Any] | None = None

    def listen(self) -> None:
        """Starts to read and to handle SIGTERM. Call it in the task that these should cancel."""
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        loop.add_signal_handler(signal.SIGTERM, self._stop)
        loop.add_reader(self._pipe.fileno(), self._read)

    def send(self, message: object) -> None:
        """Sends a message. If the parent is gone, this process stops."""
        loop = asyncio.get_running_loop()
        if self._outbox:
            self._outbox.submit(self._send_now, message, loop)
        else:
            self._send_now(message, loop)

    def _send_now(self, message: object, loop: asyncio.AbstractEventLoop) -> None:
        try:
            self._pipe.send(message)
        except OSError:
            loop.call_soon_threadsafe(self._stop)

    def _read(self) -> None:
        try:
            message = self._pipe.recv()
        except (EOFError, OSError):
            self._stop()
            return
        if isinstance(message, Alive):
            self.send(message)
        else:
            self._take(message)

    def _stop(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pipe.fileno())
        loop.call_later(GRACE_S, os._exit, 1)
        if self._task:
            self._task.cancel()


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
os._exit(0)
"""
"""The program of a worker. It moves the pipe away from standard input, so that no bot inherits it.

PR_SET_PDEATHSIG (1) wakes a stopped worker when its parent dies, so that it finds the pipe closed. `os._exit` saves an
eighth of a second of processor time, so that many workers end at once.
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
