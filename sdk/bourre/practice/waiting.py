"""Waits for what `async` bots return, from code that is not `async`."""

from __future__ import annotations

from collections.abc import Awaitable
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop


class Waiting:
    """An event loop in a thread of its own, so that it also works where a loop runs already (in a notebook).

    The thread starts with the first awaitable: bots with plain methods pay nothing. All bots share the loop.
    """

    def __init__(self) -> None:
        self._loop: AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> Waiting:
        return self

    def __call__(self, awaitable: Awaitable[object]) -> object:
        """The result of this awaitable, or what it raises."""
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = Thread(target=self._run, args=(self._loop,), name="bourre practice", daemon=True)
            self._thread.start()
        future = asyncio.run_coroutine_threadsafe(_result(awaitable), self._loop)
        try:
            return future.result()
        finally:
            future.cancel()  # without effect, unless this thread was interrupted while it waited

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    @staticmethod
    def _run(loop: AbstractEventLoop) -> None:
        import asyncio

        try:
            loop.run_forever()
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()


async def _result(awaitable: Awaitable[object]) -> object:
    return await awaitable
