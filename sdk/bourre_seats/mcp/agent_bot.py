"""The bot of an agent that practises, whose table runs in threads of its own."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from bourre.rules.cards import Card
from bourre.rules.events import Event
from bourre.rules.view import View
from bourre_seats.desk.desk import Desk
from bourre_seats.desk.desk_bot import DeskBot
from bourre_seats.desk.question import Reply


class PracticeAgent(DeskBot):
    """One match of practice."""

    loop: ClassVar[asyncio.AbstractEventLoop]
    """The loop of the desk."""

    def on_event(self, event: Event) -> None:
        """Writes the event down in the desk's own thread, which reads it too."""
        self.loop.call_soon_threadsafe(self._log.hear, event)

    async def _reach_desk(self, view: View, reneged: Card | None) -> Reply:
        reply = self.desk.ask(view, self._log, reneged)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(reply, self.loop))


def practice_bot_for(desk: Desk, loop: asyncio.AbstractEventLoop) -> type[PracticeAgent]:
    """Returns a class of bots whose answers come from this desk; `loop` is where the desk is."""
    return type("agent", (PracticeAgent,), {"desk": desk, "loop": loop})
