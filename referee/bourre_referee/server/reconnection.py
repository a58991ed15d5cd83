"""Lets a bot whose connection broke come back, and gives it up if it does not return in time.

A returning bot says hello with the same token (`Service.Play`), and `Connection.admit` sends its open asks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from bourre.bot_code.start_diagnosis import ending
from bourre.rules.actions import Fault
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.server.bot_pool import BotPool

_EXIT_SECONDS = 2.0
"""The shortest wait, because a crashed bot's process ends a little after its connection breaks."""


class Reconnection:
    """Waits for the bots of a room that lost their connections, and stores which will not come back."""

    def __init__(
        self,
        bots: BotPool,
        reconnect_ms: int,
        go_on_without: Callable[[str, Fault | None], None],
        fail: Callable[[Exception], None],
        capped: Iterable[str] = (),
    ) -> None:
        """It calls `go_on_without` for a bot that does not come back, and `fail` for an error of the referee.

        `capped` are models that were not started.
        """
        self.gone: dict[str, Fault | None] = dict.fromkeys(capped)
        """The faults of the bots that will not come back; None for a model that left for a cap."""
        self._bots = bots
        self._seconds = max(reconnect_ms / 1000, _EXIT_SECONDS)
        self._go_on_without = go_on_without
        self._fail = fail
        self._waits: set[asyncio.Task[None]] = set()

    def begin(self, bot: str) -> None:
        """Starts to wait for a bot whose connection just broke."""
        task = asyncio.create_task(self._await_or_go_on(bot, self._bots.connections[bot].back))
        self._waits.add(task)
        task.add_done_callback(self._waits.discard)

    def stop(self) -> None:
        """Stops waiting for any bot."""
        for task in self._waits:
            task.cancel()

    def give_up(self, bot: str, fault: Fault | None) -> Fault | None:
        """Records why a bot will not come back, and returns the first recorded reason, which counts."""
        return self.gone.setdefault(bot, fault)

    async def await_return(self, bot: str, back: asyncio.Event) -> bool:
        """Waits for a bot whose connection broke. Returns whether it comes back; if not, `gone` has the reason."""
        process, returning = self._bots.process_of(bot), asyncio.create_task(back.wait())
        tasks = {returning, process.ended} if process else {returning}
        try:
            await self._bots.wait(tasks, self._seconds)
        finally:
            returning.cancel()
        if back.is_set():
            return True
        self._bots.connections[bot].close()
        capped = self._bots.left_for_a_cap(bot)
        how = "a cap allows no more calls" if capped else self._how_it_left(process)
        self._bots.note(bot, [f"{how}: the stand-in plays for it until the room ends"])
        self.give_up(bot, None if capped else _fault_of(process))
        return False

    def _how_it_left(self, process: BotProcess | None) -> str:
        if process is None or not process.ended.done():
            return f"its connection broke, and it did not come back within {self._seconds:g} s"
        return f"{ending(process.ended.result())} before the last match was over"

    async def _await_or_go_on(self, bot: str, back: asyncio.Event) -> None:
        try:
            returned = await self.await_return(bot, back)
        except Exception as error:
            self._fail(error)
            return
        if not returned:
            self._go_on_without(bot, self.gone[bot])


def _fault_of(process: BotProcess | None) -> Fault:
    """Returns why a bot did not come back. A running bot or a remote bot counts as disconnected."""
    if process is None or not process.ended.done() or not process.ended.result():
        return Fault.DISCONNECTED
    return Fault.OVER_LIMIT if process.over_limit else Fault.CRASHED
