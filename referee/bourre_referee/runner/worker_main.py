"""A worker process: plays one room at a time for its parent, and ends with it."""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from bourre_referee.model.spec import BotsAway, MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.runner.room_reports import PlayRoom

GRACE_S = 5.0
"""The seconds in which a cancelled room must stop its bots, before the process ends."""


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


def work(pipe: Connection[Any, Any], play_room: PlayRoom) -> None:
    """Plays the rooms from the pipe until the pipe closes or SIGTERM arrives.

    A closed pipe means that the parent is done or dead. It cancels the current room.
    """
    with suppress(asyncio.CancelledError):
        asyncio.run(_Worker(pipe, play_room).run())


class _Worker:
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
