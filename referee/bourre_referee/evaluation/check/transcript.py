"""Records the questions and answers on the connection of the bot under test."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from bourre.messages import Answer, Ask, Bundle, Seating
from bourre.rules.actions import Fault, Play, Recall
from bourre_referee.model.spec import Clock
from bourre_referee.server.bot_clock import Key, Timekeeper
from bourre_referee.server.connection import Connection, Listener


@dataclass(slots=True)
class Exchange:
    """One question and its answer."""

    match: str
    ask: Ask
    answer: Answer | None = None
    """The answer, or None if none came in time or while it was awaited."""
    late: Fault | None = None
    """The fault, if the time ran out."""
    spent_ms: float = 0.0
    """Time from sending the question, or from the previous answer, to its answer. For n answers at once, t / n each."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A message that the bot sent without a question."""

    answer: Answer | None
    """The answer, or None if the message held none."""
    why: str


class RecordedConnection(Connection):
    """The bot's connection, which records all messages."""

    def __init__(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        super().__init__(bot, room, limits, listener, timekeeper)
        self.exchanges: dict[Key, Exchange] = {}
        self.strays: list[Stray] = []
        self._matches: dict[int, str] = {}
        self._sent: dict[Key, float] = {}
        self._last_answer_at = 0.0

    def seat(self, seating: Seating) -> None:
        """Announces a match to the bot."""
        self._matches[seating.table] = seating.match
        super().seat(seating)

    def ask(self, ask: Ask) -> None:
        """Asks the bot."""
        if not self.closed:
            self.exchanges[ask.table, ask.id] = Exchange(self._matches[ask.table], ask)
        super().ask(ask)

    async def outgoing(self) -> Bundle:
        """Returns the next messages, and notes the time."""
        bundle = await super().outgoing()
        self._sent |= dict.fromkeys(((ask.table, ask.id) for ask in bundle.asks), perf_counter())
        return bundle

    def receive(self, answers: list[Answer]) -> None:
        """Records the answers of one message, and passes them on."""
        if self.closed:
            return
        now = perf_counter()
        awaited = [answer for answer in answers if self._is_awaited(answer)]
        for answer in answers:
            self._record(answer)
        for answer in awaited:
            key = (answer.table, answer.id)
            since = max(self._sent.get(key, now), self._last_answer_at)
            self.exchanges[key].spent_ms = (now - since) * 1000 / len(awaited)
        self._last_answer_at = now
        if not answers:
            self.strays.append(Stray(None, "a message without an answer"))
        super().receive(answers)

    def ran_out(self, key: Key, fault: Fault, allowed_ms: float) -> None:
        """Records that a question was not answered in time."""
        exchange = self.exchanges[key]
        exchange.late = fault
        exchange.spent_ms = (perf_counter() - max(self._sent.get(key, 0.0), self._last_answer_at)) * 1000
        super().ran_out(key, fault, allowed_ms)

    def _is_awaited(self, answer: Answer) -> bool:
        return (answer.table, answer.id) in self.exchanges and not isinstance(answer.action, Recall)

    def _record(self, answer: Answer) -> None:
        exchange = self.exchanges.get((answer.table, answer.id))
        if exchange is None:
            self.strays.append(Stray(answer, self._explain_stray(answer)))
        elif isinstance(answer.action, Recall):
            if not _may_recall(exchange):
                self.strays.append(Stray(answer, "a recall with nothing to take back"))
        elif exchange.answer:
            self.strays.append(Stray(answer, "a second answer to the same question"))
        else:
            exchange.answer = answer

    def _explain_stray(self, answer: Answer) -> str:
        if answer.table not in self._matches:
            return "an answer for a table where it does not sit"
        return "an answer to a question that does not exist"


def _may_recall(exchange: Exchange) -> bool:
    """Returns whether the card of this answer may be taken back unasked (R8.4, `silent`)."""
    said, view = exchange.answer, exchange.ask.view
    reneged = said is not None and isinstance(said.action, Play) and said.action.card not in view.legal
    return reneged and view.house.allows_recall
