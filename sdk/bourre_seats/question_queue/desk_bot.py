"""The bot of an agent or a person at a desk."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from bourre.bot import Bot
from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.events import Event
from bourre.rules.view import View
from bourre.words.table_words.deal_lines import MatchLog
from bourre.words.table_words.deal_story import DealStory, MatchStory
from bourre.words.table_words.event_sentences import tell
from bourre.words.table_words.readers import Reader
from bourre_seats.question_queue.desk import Desk
from bourre_seats.question_queue.question import Reply

Kind = TypeVar("Kind", bound=Choice)


class DeskBot(Bot):
    """One match at a referee. Each decision waits until the desk has an answer, or the referee goes on."""

    desk: ClassVar[Desk]

    def __init__(self) -> None:
        self._log = MatchLog()
        self._match = MatchStory()
        self._discards: tuple[Card, ...] | None = None
        """The discards of the agent's declaration, if any."""
        self._takes = False

    async def name_trump(self, view: View) -> Suit:
        """Asks for the trump suit."""
        return (await self._ask(view, NameTrump)).trump

    async def declare(self, view: View) -> bool:
        """Asks whether to play, and in turn mode for the discards."""
        said = await self._ask(view, Declare)
        draws_now = said.plays and view.house.declares_in_turn
        self._discards, self._takes = (said.discards if draws_now else None), said.takes
        return said.plays

    async def draw(self, view: View) -> tuple[Card, ...]:
        """Returns the discards of the agent's declaration, or asks for them."""
        if self._discards is None:
            said = await self._ask(view, Draw)
            self._discards, self._takes = said.discards, said.takes
        discards, self._discards = self._discards, None
        return discards

    async def take_turned(self, view: View) -> bool:
        """Returns whether the agent took the turned card with its discards."""
        return self._takes

    async def stay(self, view: View) -> bool:
        """Asks whether the agent stays."""
        return (await self._ask(view, Stay)).stays

    async def play(self, view: View) -> Card:
        """Asks for a card."""
        return (await self._ask(view, Play)).card

    async def recall(self, view: View, card: Card) -> Card | None:
        """Asks whether the agent takes back its last card."""
        said = (await self._reply(view, card)).said
        return said.card if isinstance(said, Recall) else None

    def on_event(self, event: Event) -> None:
        """Writes the event to the log, after the first question has shown the house rules."""
        self._match.hear(event)
        self._tell_news()

    def _tell_news(self) -> None:
        for event, story in self._match.news():
            self._tell(event, story)

    def _tell(self, event: Event, story: DealStory) -> None:
        self._write_down(event, tell(event, story, Reader()))

    def _write_down(self, event: Event, words: str) -> None:
        self._log.hear(event, words)

    async def _ask(self, view: View, kind: type[Kind]) -> Kind:
        said = (await self._reply(view)).said
        if not isinstance(said, kind):
            raise TypeError(f"the desk took {said!r} for a {kind.__name__}")
        return said

    async def _reply(self, view: View, reneged: Card | None = None) -> Reply:
        self._match.begin(view.seats, view.house)
        self._tell_news()
        reply = await self._reach_desk(view, reneged)
        if reply.note:
            self.note(reply.note)
        return reply

    async def _reach_desk(self, view: View, reneged: Card | None) -> Reply:
        return await self.desk.ask(view, self._log, reneged)


def bot_for(desk: Desk) -> type[DeskBot]:
    """Returns a class of bots with answers from this desk."""
    return type("Agent", (DeskBot,), {"desk": desk})
