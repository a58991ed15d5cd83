"""One bot's line to its room: what waits to be sent, what is awaited, and the bot's clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.rules.actions import Choice, Fault, Missing, Play, Recall
from bourre_referee.spec import Clock, SeatTiming


class Listener(Protocol):
    """Hears what comes over a line."""

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The awaited answer of this bot at this table, or that it is missing; and a recall that came with a card."""

    def unasked(self, bot: str, answer: Answer) -> None:
        """An answer that this bot was not asked for."""

    def lost(self, bot: str) -> None:
        """The line is down before the goodbye."""


class Timekeeper(Protocol):
    """Tells the time in seconds and wakes; an asyncio event loop is one."""

    def time(self) -> float:
        """The time now."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once at this time."""


class Line:
    """From hello to goodbye. The clock runs while answers are awaited; n answers at once took t / n each."""

    def __init__(self, bot: str, room: str, clock: Clock, listener: Listener, timekeeper: Timekeeper) -> None:
        self.bot = bot
        self.hello: Hello | None = None
        self.arrived = asyncio.Event()
        self.closed = False
        self._room = room
        self._clock = clock
        self._listener = listener
        self._bundle = Bundle()
        self._wake = asyncio.Event()
        self._awaited: dict[tuple[int, int], None] = {}
        self._running_since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._banks: dict[int, float] = {}
        self._timings: dict[int, SeatTiming] = {}
        self._timekeeper = timekeeper

    def admit(self, hello: Hello) -> None:
        """The bot is here."""
        self.hello = hello
        welcome = Welcome(self.bot, self._room, self._clock.decision_ms, self._clock.bank_ms)
        self._bundle.welcome = welcome
        self._wake.set()
        self.arrived.set()

    def seat(self, seating: Seating) -> None:
        """Tells the bot of a match, and fills its bank for it."""
        self._banks[seating.table] = self._clock.bank_ms
        self._timings[seating.table] = SeatTiming(0, 0.0, 0.0)
        self._bundle.seatings.append(seating)
        self._wake.set()

    def bank_ms(self, table: int) -> int:
        """Milliseconds left of the bank for one match."""
        return int(self._banks[table])

    def ask(self, ask: Ask) -> None:
        """Asks the bot, as soon as the line is free; its clock runs. A closed line asks nobody."""
        if self.closed:
            return
        if not self._awaited:
            self._running_since = self._timekeeper.time()
        self._awaited[ask.table, ask.id] = None
        self._bundle.asks.append(ask)
        self._wake.set()
        self._set_timer()

    def withdraw(self, table: int) -> None:
        """No answer is awaited at this table any more."""
        for key in [key for key in self._awaited if key[0] == table]:
            del self._awaited[key]

    def end_match(self, end: MatchEnd) -> SeatTiming:
        """Tells the bot that a match is over; returns how it used its time there."""
        self.withdraw(end.table)
        del self._banks[end.table]
        self._bundle.match_ends.append(end)
        self._wake.set()
        return self._timings.pop(end.table)

    def say_goodbye(self, reason: str) -> None:
        """Ends the line once all before it is sent."""
        self.closed = True
        self._awaited.clear()
        self._bundle.goodbye = reason
        self._wake.set()

    async def outgoing(self) -> Bundle:
        """Waits until there is something to send, and takes all of it."""
        await self._wake.wait()
        self._wake.clear()
        bundle, self._bundle = self._bundle, Bundle()
        return bundle

    def receive(self, answers: list[Answer]) -> None:
        """Takes what came in one message, charges the time, and passes the answers on in order."""
        now = self._timekeeper.time()
        asked = [answer for answer in answers if not isinstance(answer.action, Recall)]
        awaited = self._awaited.keys() & {(answer.table, answer.id) for answer in asked}
        spent_ms = (now - self._running_since) * 1000 / max(1, len(awaited))
        if awaited:
            self._running_since = now
        recalls = {(answer.table, answer.id): answer.action for answer in answers if isinstance(answer.action, Recall)}
        for answer in answers:
            key = (answer.table, answer.id)
            if isinstance(answer.action, Recall):
                if recalls.pop(key, None):  # else it went with its card
                    self._listener.unasked(self.bot, answer)
            elif key in awaited:
                awaited.remove(key)
                del self._awaited[key]
                self._charge(answer.table, spent_ms)
                recall = recalls.pop(key, None) if isinstance(answer.action, Play) else None
                self._listener.answered(self.bot, answer.table, answer.action, recall)
            else:
                self._listener.unasked(self.bot, answer)
        self._set_timer()

    def lose(self) -> None:
        """The stream has ended."""
        self._awaited.clear()
        if not self.closed:
            self.closed = True
            self._listener.lost(self.bot)

    def _charge(self, table: int, spent_ms: float) -> None:
        over = spent_ms - self._clock.decision_ms
        if over > 0:
            self._banks[table] = max(0.0, self._banks[table] - over)
        used = self._timings[table]
        longest = max(used.longest_ms, spent_ms)
        self._timings[table] = SeatTiming(used.decisions + 1, used.total_ms + spent_ms, longest)

    def _deadline(self) -> float:
        """When the oldest ask will be late: its time, then its table's bank, from the last sign of life."""
        table, _ = next(iter(self._awaited))
        return self._running_since + (self._clock.decision_ms + self._banks[table]) / 1000

    def _set_timer(self) -> None:
        """One timer for the line: it is set too early rather than anew at each ask, and looks again when it fires."""
        if not self._awaited:
            return
        deadline = self._deadline()
        if self._timer is not None:
            if self._timer.when() <= deadline:
                return
            self._timer.cancel()
        self._timer = self._timekeeper.call_at(deadline, self._look_at_clock)

    def _look_at_clock(self) -> None:
        self._timer = None
        if self._awaited and self._timekeeper.time() >= self._deadline():
            late = next(iter(self._awaited))
            del self._awaited[late]
            self._banks[late[0]] = 0.0
            self._running_since = self._timekeeper.time()
            self._listener.answered(self.bot, late[0], Missing(Fault.LATE))
        self._set_timer()
