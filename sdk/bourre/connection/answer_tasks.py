"""Runs decisions at many tables concurrently, for bots whose methods are `async`."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

from bourre.bot import DECISIONS, Bot, is_async
from bourre.connection.bot_tables import Tables
from bourre.messages import Answer, Ask


def answers_concurrently(bot: type[Bot]) -> bool:
    """Returns whether a bot can decide at several tables concurrently, because one of its decisions is `async`."""
    return any(is_async(getattr(bot, name)) for name in DECISIONS)


class AnswerTasks:
    """Starts a task for each ask as it arrives, and sends each answer when it is ready.

    Decisions at one table run one after another. If the connection breaks, the tasks continue and answer the asks that
    the referee repeats.
    """

    def __init__(self, tables: Tables, send: Callable[[list[Answer]], Awaitable[None]]) -> None:
        self._tables = tables
        self._send = send
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._ready: list[Answer] = []
        self._sending = False
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def begin(self, ask: Ask) -> None:
        """Starts a task for this ask, unless one is running."""
        key = (ask.table, ask.id)
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._think(ask))
            task.add_done_callback(lambda done: self._finish(key, done))

    def begin_stream(self, give_up: Callable[[], object]) -> None:
        """Drops answers for the previous stream, because the referee will ask again. A failed task calls `give_up`."""
        self._ready.clear()
        self._failed.add_done_callback(lambda _: give_up())

    def check(self) -> None:
        """Raises the error of a failed task, if any. The bot's own exceptions count as answers."""
        if self._failed.done():
            self._failed.result()

    def stop(self) -> None:
        """Cancels all tasks."""
        for task in self._tasks.values():
            task.cancel()

    async def _think(self, ask: Ask) -> None:
        async with self._turns[ask.table]:
            if ask.table not in self._tables.seatings:
                return
            answers = await self._tables.answers(ask)
        if ask.table in self._tables.seatings:  # else the match has ended
            self._ready += answers
            await self._flush()

    async def _flush(self) -> None:
        """Sends the answers that are ready. Later ones go into the next message."""
        if self._sending:
            return
        self._sending = True
        try:
            while self._ready:
                ready, self._ready = self._ready, []
                await self._send(ready)
        finally:
            self._sending = False

    def _finish(self, key: tuple[int, int], task: asyncio.Task[None]) -> None:
        del self._tasks[key]
        if not task.cancelled() and (error := task.exception()) and not self._failed.done():
            self._failed.set_exception(error)
