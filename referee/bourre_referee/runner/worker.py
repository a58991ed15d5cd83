"""A worker process: plays one room at a time for the process at the other end of its pipe, and dies with it."""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from bourre_referee.model.spec import MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.runner.room_reports import PlayRoom

GRACE_S = 5.0
"""How long a cancelled room has to stop its bots before the process ends all the same."""


@dataclass(frozen=True, slots=True)
class Played:
    """The answer for a room that was played."""

    outcomes: tuple[MatchOutcome, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer for a room that could not be played."""

    reason: str


@dataclass(frozen=True, slots=True)
class Alive:
    """The parent's question whether the worker is alive, and its answer, which it gives even while it plays."""


def work(pipe: Connection[Any, Any], play_room: PlayRoom) -> None:
    """Plays the rooms that come through the pipe until the pipe closes or SIGTERM arrives.

    A closed pipe means that the parent is done or dead, so the room in progress is cancelled.
    """
    with suppress(asyncio.CancelledError):
        asyncio.run(_Worker(pipe, play_room).run())


class _Worker:
    def __init__(self, pipe: Connection[Any, Any], play_room: PlayRoom) -> None:
        self._pipe = pipe
        self._play_room = play_room
        self._rooms: asyncio.Queue[RoomSpec] = asyncio.Queue()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        loop.add_signal_handler(signal.SIGTERM, self._stop)
        loop.add_reader(self._pipe.fileno(), self._read)
        while True:
            self._send(await self._play(await self._rooms.get()))

    async def _play(self, room: RoomSpec) -> Played | Failed:
        try:
            return Played(tuple(await self._play_room(room)))
        except RoomFailed as error:
            return Failed(str(error))
        except Exception:
            return Failed(traceback.format_exc())

    def _read(self) -> None:
        try:
            message = self._pipe.recv()
        except (EOFError, OSError):
            self._stop()
            return
        if isinstance(message, Alive):
            self._send(message)
        else:
            self._rooms.put_nowait(message)

    def _send(self, answer: Played | Failed | Alive) -> None:
        try:
            self._pipe.send(answer)
        except OSError:  # the parent is gone
            self._stop()

    def _stop(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pipe.fileno())
        loop.call_later(GRACE_S, os._exit, 1)
        if self._task:
            self._task.cancel()
