"""One bot's connection to its room: messages to send, open asks, and received answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.rules.actions import Choice, Fault, Missing, Play, Recall
from bourre.rules.compiled_class import mypyc_attr
from bourre_referee.model.spec import Clock, SeatTiming
from bourre_referee.server.ask_batching import MANY_TABLES, AskBatching
from bourre_referee.server.bot_clock import Account, BotClock, Key, Timekeeper

ANSWERS_PER_ASK = 2
"""One answer, and one recall that may follow it."""
SPARE_ANSWERS = 32
"""The unrequested answers in one room after which a bot is cut off. A buggy bot sends few, a flood many."""


class Listener(Protocol):
    """Receives the answers and events of a connection."""

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The bot answered its ask at this table, or the answer is missing. A `recall` came together with a card."""

    def remarked(self, bot: str, answer: Answer) -> None:
        """The bot attached a note or its usage to its next answer."""

    def unasked(self, bot: str, answer: Answer) -> None:
        """The bot sent an answer without an ask."""

    def late(self, bot: str, ask: Ask, allowed_ms: float) -> None:
        """The bot did not answer this ask in its time. The next call says the consequence."""

    def stalled(self, bot: str, table: int) -> None:
        """The bot used up its time for the whole match during an ask."""

    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """The bot is late, but the host was starved for `starved_ms` of its time."""

    def lost(self, bot: str) -> None:
        """The stream ended before the goodbye. The bot may come back."""

    def cut_off(self, bot: str) -> None:
        """The bot sent too many unrequested answers. The referee now ignores it."""

    def failed(self, error: Exception) -> None:
        """The referee itself failed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Connection:
    """Lasts from hello to goodbye, over any number of streams, one at a time.

    An ask's time runs from its send. If an earlier message still occupies the wire, or if the wire is down, the time
    runs from when the ask is ready, because only the bot can delay the wire.
    """

    def __init__(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        self.bot = bot
        self.hello: Hello | None = None
        self.arrived = asyncio.Event()
        self.back = asyncio.Event()
        """Set when the bot is back after the latest loss. Each loss has a new event."""
        self.live = False
        """Whether a stream is open."""
        self.closed = False
        """Whether the referee ignores the bot, which cannot come back."""
        self.refusal = ""
        """Why the bot was cut off, for its author."""
        self.turned_away = ""
        """Why its last hello was refused, for its author."""
        self.batching = AskBatching(lambda: self.is_thinking)
        """Holds asks back. The connections of a room share one."""
        self._room = room
        self._limits = limits
        self._listener = listener
        self._clock = BotClock(limits, self, timekeeper)
        self._seatings: dict[int, Seating] = {}
        self._open: dict[Key, Ask] = {}
        self._bundle = Bundle()
        self._wake = asyncio.Event()
        self._free = False
        self._may_say = SPARE_ANSWERS

    def admit(self, hello: Hello) -> None:
        """Connects the bot. If it reconnects, it gets its seats and open asks again."""
        if self.arrived.is_set():
            self._may_say -= 1
        self.hello = self.hello or hello
        self._bundle = Bundle(
            welcome=self._welcome(),
            seatings=list(self._seatings.values()),
            asks=list(self._open.values()),
            match_ends=self._bundle.match_ends,
        )
        self.live = self._free = True
        self._wake.set()
        self.arrived.set()
        self.back.set()

    def seat(self, seating: Seating) -> None:
        """Seats the bot at a match, with the full reserve time."""
        self._clock.open(seating.table)
        self._seatings[seating.table] = seating
        self._bundle.seatings.append(seating)
        self._wake.set()

    def left(self, table: int) -> Account:
        """Returns the bot's time account for one match."""
        return self._clock.left(table)

    def ask(self, ask: Ask) -> None:
        """Asks the bot as soon as the wire is free. A closed connection ignores this."""
        if self.closed:
            return
        key = (ask.table, ask.id)
        self._open[key] = ask
        self._may_say += ANSWERS_PER_ASK
        self._clock.queue(key)
        if not self._free:
            self._clock.start()
        self._bundle.asks.append(ask)
        self._wake.set()

    @property
    def is_asked(self) -> bool:
        """Whether the bot has an open ask."""
        return bool(self._open)

    @property
    def is_thinking(self) -> bool:
        """Whether the bot has an unanswered ask that was sent."""
        return bool(self._clock.running)

    def withdraw(self, table: int) -> None:
        """Withdraws the bot's asks at this table."""
        self._clock.withdraw(table)
        for key in [key for key in self._open if key[0] == table]:
            del self._open[key]

    def end_match(self, end: MatchEnd) -> SeatTiming:
        """Tells the bot that a match is over, and returns its use of time."""
        self.withdraw(end.table)
        del self._seatings[end.table]
        self._bundle.match_ends.append(end)
        self._wake.set()
        return self._clock.close(end.table)

    def say_goodbye(self, reason: str) -> None:
        """Ends the connection once everything queued is sent."""
        self.close()
        self._bundle.goodbye = reason
        self._wake.set()

    def announce_by(self, wake: asyncio.Event) -> None:
        """Uses this event, of the session that carries it, to announce messages to send."""
        self._wake = wake

    def hold(self, held: bool) -> None:
        """Marks that another connection's message occupies the wire. Asks wait for it, and their time runs."""
        self._free = not held

    @property
    def has_open_tables(self) -> bool:
        """Whether the bot still sits at a table."""
        return bool(self._seatings)

    def close(self) -> None:
        """Stops asking the bot, and ignores its answers."""
        self.closed = True
        self._clock.stop()
        self._open.clear()

    async def outgoing(self) -> Bundle:
        """Waits for messages to send, and returns all of them. With many tables, it waits for more asks."""
        await self._wake.wait()
        if self._bundle.asks and len(self._seatings) >= MANY_TABLES:
            await self.gather()
        self._wake.clear()
        return self.take()

    def take(self) -> Bundle:
        """Returns everything that waits to be sent."""
        bundle, self._bundle = self._bundle, Bundle()
        return bundle

    async def gather(self) -> None:
        """Waits until the ready asks may be sent."""
        await self.batching.wait()

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Marks a write in progress. The bot's time for the asks starts here."""
        self._free = False
        self._clock.start()
        yield
        self._free = True

    def receive(self, answers: list[Answer]) -> None:
        """Takes the answers of one message, charges their time, and passes them on in order.

        An answer may end a match or withdraw an ask. A later answer to that ask then counts as unrequested.
        """
        if self.closed:
            return
        self._may_say -= max(1, len(answers))
        if self._may_say < 0:
            self._cut_off()
            return
        awaited, recalls = self._sort(answers)
        self._clock.charge(awaited)
        for answer in answers:
            key, action = (answer.table, answer.id), answer.action
            if isinstance(action, Recall):
                if recalls.pop(key, None):  # otherwise it belonged to its card
                    self._listener.unasked(self.bot, answer)
            elif key in awaited and self._open.pop(key, None) is not None:
                if answer.note or answer.usage:
                    self._listener.remarked(self.bot, answer)
                recall = recalls.pop(key, None) if recalls and isinstance(action, Play) else None
                self._listener.answered(self.bot, answer.table, action, recall)
            else:
                self._listener.unasked(self.bot, answer)
        self.batching.look()

    def hang_up(self) -> None:
        """Handles the end of the stream. New asks wait for the bot, and their time runs."""
        self.live = self._free = False
        if self.closed:
            return
        self.back = asyncio.Event()
        self._clock.start()
        self._listener.lost(self.bot)

    def fail(self, error: Exception) -> None:
        """Reports a failure of the referee itself."""
        self._listener.failed(error)

    def ran_out(self, key: Key, fault: Fault, allowed_ms: float) -> None:
        """Handles an ask that was not answered in time (see Watcher)."""
        if ask := self._open.pop(key, None):
            self._listener.late(self.bot, ask, allowed_ms)
        if fault == Fault.STALLED:
            self._listener.stalled(self.bot, key[0])
        else:
            self._listener.answered(self.bot, key[0], Missing(fault))

    def overloaded(self, key: Key, starved_ms: float, allowed_ms: float) -> None:
        """Handles a late answer that is the host's fault (see Watcher)."""
        self._listener.overloaded(self.bot, starved_ms, allowed_ms)

    def _sort(self, answers: list[Answer]) -> tuple[dict[Key, int], dict[Key, Recall]]:
        """Returns the answered asks with the reported thinking times in microseconds, and the recalls."""
        running = self._clock.running
        awaited: dict[Key, int] = {}
        recalls: dict[Key, Recall] = {}
        for answer in answers:
            key, action = (answer.table, answer.id), answer.action
            if isinstance(action, Recall):
                recalls[key] = action
            elif key in running and key not in awaited:
                awaited[key] = answer.spent_us
        return awaited, recalls

    def _cut_off(self) -> None:
        self.refusal = f"{self.bot} sent more than {ANSWERS_PER_ASK} answers for each decision and {SPARE_ANSWERS} more"
        self.close()
        self._listener.cut_off(self.bot)

    def _welcome(self) -> Welcome:
        limits = self._limits
        return Welcome(self.bot, self._room, limits.decision_ms, limits.bank_ms, limits.match_ms, limits.reconnect_ms)
