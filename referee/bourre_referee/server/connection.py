"""One bot's line to its room: what waits to be sent, what is asked, and who may speak on it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.rules.actions import Choice, Fault, Missing, Play, Recall
from bourre_referee.model.spec import Clock, SeatTiming
from bourre_referee.server.bot_clock import Account, BotClock, Key, Timekeeper

ANSWERS_PER_ASK = 2
"""The answer itself, and a recall that follows it."""
SPARE_ANSWERS = 32
"""What a bot may say beyond that in one room, before it is cut off: a bot's mistake says little, a flood says more."""

MANY_TABLES = 16
"""From so many live tables on asks are held back for a moment, for others to travel with them (docs/speed.md)."""
FLUSH_SECONDS = 0.001
"""That moment. It is nobody's time: an ask's time runs from when it is handed to the wire."""


class Listener(Protocol):
    """Hears what comes over a line."""

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The awaited answer of this bot at this table, or that it is missing; and a recall that came with a card."""

    def unasked(self, bot: str, answer: Answer) -> None:
        """An answer that this bot was not asked for."""

    def stalled(self, bot: str, table: int) -> None:
        """This bot's time for the whole match is used up, while it was asked."""

    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """This bot is late, and so was the host: it was starved for so much of the time that the bot had."""

    def lost(self, bot: str) -> None:
        """The stream has ended before the goodbye; the bot may come back."""

    def cut_off(self, bot: str) -> None:
        """The bot has said far more than it was asked, and is heard no longer."""

    def failed(self, error: Exception) -> None:
        """The referee has made a mistake."""


class Connection:
    """From hello to goodbye, over as many streams as it takes, one at a time.

    An ask's time runs from the moment when it is handed to the wire. While the wire is still taken up with an earlier
    message, or is down, it runs from the moment when the ask is ready: only the bot can hold the wire up.
    """

    def __init__(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        self.bot = bot
        self.hello: Hello | None = None
        self.arrived = asyncio.Event()
        self.back = asyncio.Event()
        """Of the latest loss: the bot has come back. Another loss has another event."""
        self.live = False
        """Whether a stream is open."""
        self.closed = False
        """Whether the bot is heard and asked no more, and cannot come back."""
        self.refusal = ""
        """Why the bot was cut off, in words for it."""
        self.turned_away = ""
        """Why its last hello was refused, in words for it."""
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
        """The bot is here, or here again: then it is told anew where it sits and what it is asked."""
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
        """Tells the bot of a match, and fills its bank for it."""
        self._clock.open(seating.table)
        self._seatings[seating.table] = seating
        self._bundle.seatings.append(seating)
        self._wake.set()

    def left(self, table: int) -> Account:
        """The bot's time that is left for one match."""
        return self._clock.left(table)

    def ask(self, ask: Ask) -> None:
        """Asks the bot, as soon as the line is free. A closed line asks nobody."""
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
        """Whether any answer of the bot is awaited."""
        return bool(self._open)

    def withdraw(self, table: int) -> None:
        """No answer is awaited at this table any more."""
        self._clock.withdraw(table)
        for key in [key for key in self._open if key[0] == table]:
            del self._open[key]

    def end_match(self, end: MatchEnd) -> SeatTiming:
        """Tells the bot that a match is over; returns how it used its time there."""
        self.withdraw(end.table)
        del self._seatings[end.table]
        self._bundle.match_ends.append(end)
        self._wake.set()
        return self._clock.close(end.table)

    def say_goodbye(self, reason: str) -> None:
        """Ends the line once all before it is sent."""
        self.close()
        self._bundle.goodbye = reason
        self._wake.set()

    def close(self) -> None:
        """The bot is neither asked nor heard any more."""
        self.closed = True
        self._clock.stop()
        self._open.clear()

    async def outgoing(self) -> Bundle:
        """Waits until there is something to send, and takes all of it; at many tables, of a moment."""
        await self._wake.wait()
        if self._bundle.asks and len(self._seatings) >= MANY_TABLES:
            await asyncio.sleep(FLUSH_SECONDS)
        self._wake.clear()
        bundle, self._bundle = self._bundle, Bundle()
        return bundle

    @contextmanager
    def sending(self) -> Iterator[None]:
        """All that was taken is handed to the wire: from now on it is the bot's time."""
        self._free = False
        self._clock.start()
        yield
        self._free = True

    def receive(self, answers: list[Answer]) -> None:
        """Takes what came in one message, charges the time, and passes the answers on in order.

        What is passed on may end a match or have an ask withdrawn: an answer to that, further on, is awaited no more.
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
                if recalls.pop(key, None):  # else it went with its card
                    self._listener.unasked(self.bot, answer)
            elif key in awaited and self._open.pop(key, None) is not None:
                recall = recalls.pop(key, None) if recalls and isinstance(action, Play) else None
                self._listener.answered(self.bot, answer.table, action, recall)
            else:
                self._listener.unasked(self.bot, answer)

    def hang_up(self) -> None:
        """The stream has ended. What is asked meanwhile waits for the bot, and its time runs."""
        self.live = self._free = False
        if self.closed:
            return
        self.back = asyncio.Event()
        self._clock.start()
        self._listener.lost(self.bot)

    def fail(self, error: Exception) -> None:
        """A mistake of the referee, made while it carried what goes over this line."""
        self._listener.failed(error)

    def ran_out(self, key: Key, fault: Fault) -> None:
        """An ask was not answered in time (see Watcher)."""
        self._open.pop(key, None)
        if fault == Fault.STALLED:
            self._listener.stalled(self.bot, key[0])
        else:
            self._listener.answered(self.bot, key[0], Missing(fault))

    def overloaded(self, key: Key, starved_ms: float, allowed_ms: float) -> None:
        """Likewise; the host is to blame (see Watcher)."""
        self._listener.overloaded(self.bot, starved_ms, allowed_ms)

    def _sort(self, answers: list[Answer]) -> tuple[dict[Key, int], dict[Key, Recall]]:
        """The asks that are answered, with the time that the bot says it took; and what is recalled."""
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
        self.refusal = f"{self.bot} sent more than {ANSWERS_PER_ASK} answers for each ask and {SPARE_ANSWERS} more"
        self.close()
        self._listener.cut_off(self.bot)

    def _welcome(self) -> Welcome:
        limits = self._limits
        return Welcome(self.bot, self._room, limits.decision_ms, limits.bank_ms, limits.match_ms, limits.reconnect_ms)
