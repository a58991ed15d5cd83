"""Waits for the results of `async` bots in code that is not `async`."""

from __future__ import annotations

from collections.abc import Awaitable
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING

from bourre.practice.mistake import BOT_EXCEPTIONS

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop


THREAD_NAME = "bourre practice"


class LoopThread:
    """An event loop in its own thread, which also works beside another loop, as in a notebook.

    The thread starts with the first awaitable, so plain methods do not pay for it. All bots share the loop.
    """

    def __init__(self) -> None:
        self._loop: AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> LoopThread:
        return self

    def __call__(self, awaitable: Awaitable[object]) -> object:
        """Returns the result of this awaitable, or raises its error."""
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = Thread(target=self._run, args=(self._loop,), name=THREAD_NAME, daemon=True)
            self._thread.start()
        future = asyncio.run_coroutine_threadsafe(_outcome(awaitable), self._loop)
        try:
            result, error = future.result()
        finally:
            future.cancel()  # matters only if this thread was interrupted while it waited
        if error is not None:
            raise error
        return result

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            if not isinstance(error, KeyboardInterrupt):  # else a bot may be in an endless loop there
                self._thread.join()

    @staticmethod
    def _run(loop: AbstractEventLoop) -> None:
        try:
            loop.run_forever()
            loop.run_until_complete(_cancel_tasks())
        finally:
            loop.close()


async def _outcome(awaitable: Awaitable[object]) -> tuple[object, Exception | SystemExit | None]:
    """Returns result and error as values, because a future may drop the traceback of an error."""
    try:
        return await awaitable, None
    except BOT_EXCEPTIONS as error:
        return None, error


async def _cancel_tasks() -> None:
    """Ends the tasks that bots left running."""
    import asyncio

    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
