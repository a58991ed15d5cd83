"""One bot's clock: it times the bot's asks, and reports those that run out of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, KeysView, Mapping
from dataclasses import dataclass
from typing import Protocol

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Clock, SeatTiming

Key = tuple[int, int]
"""Identifies an ask: its table and its id."""

STARVED_SHARE = 0.25
"""If the host was starved for a larger share of a late bot's time, the bot is not blamed."""


class Timekeeper(Protocol):
    """A clock in seconds that can call back. It stands still while the host is starved (see `starvation`)."""

    def time(self) -> float:
        """The current time."""

    def starved_seconds(self) -> float:
        """The total time for which the host was starved."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once, at this time or slightly earlier."""


class Watcher(Protocol):
    """Receives the asks that were not answered in time."""

    def ran_out(self, key: Key, fault: Fault, allowed_ms: float) -> None:
        """The time of this ask ran out (LATE), or the time of the whole match (STALLED)."""

    def overloaded(self, key: Key, starved_ms: float, allowed_ms: float) -> None:
        """The time ran out, but the host was starved for too much of it to blame the bot."""


@dataclass(slots=True)
class Account:
    """A bot's remaining time at one table, and its use of the rest, in milliseconds."""

    bank_ms: float
    match_ms: float
    decisions: int = 0
    total_ms: float = 0.0
    longest_ms: float = 0.0
    queue_ms: float = 0.0
    bot_ms: float = 0.0

    def allowed_ms(self, decision_ms: float) -> float:
        """Returns the time allowed for the next decision."""
        return min(decision_ms + self.bank_ms, self.match_ms)

    def charge(self, spent_ms: float, decision_ms: float) -> None:
        """Deducts the time of one decision."""
        if spent_ms > decision_ms:
            self.bank_ms = max(0.0, self.bank_ms - (spent_ms - decision_ms))
        self.match_ms = max(0.0, self.match_ms - spent_ms)
        self.decisions += 1
        self.total_ms += spent_ms
        if spent_ms > self.longest_ms:
            self.longest_ms = spent_ms

    def timing(self) -> SeatTiming:
        """Returns a summary of the used time."""
        return SeatTiming(self.decisions, self.total_ms, self.longest_ms, self.queue_ms, self.bot_ms)


class BotClock:
    """Times an ask from its send, or from the answer before it. Each of n answers at once is charged t / n."""

    def __init__(self, limits: Clock, watcher: Watcher, timekeeper: Timekeeper) -> None:
        self._limits = limits
        self._watcher = watcher
        self._timekeeper = timekeeper
        self._accounts: dict[int, Account] = {}
        self._ready: dict[Key, float] = {}
        self._running: dict[Key, None] = {}
        self._since = 0.0
        self._starved_before = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0

    @property
    def running(self) -> KeysView[Key]:
        """A live view of the open asks, which are sent and not answered."""
        return self._running.keys()

    def open(self, table: int) -> None:
        """Opens an account with the full reserve time for a match."""
        self._accounts[table] = Account(self._limits.bank_ms, self._limits.match_ms)

    def left(self, table: int) -> Account:
        """Returns the account for this match."""
        return self._accounts[table]

    def close(self, table: int) -> SeatTiming:
        """Closes the account of a finished match, and returns its use of time."""
        self.withdraw(table)
        return self._accounts.pop(table).timing()

    def queue(self, key: Key) -> None:
        """Registers an ask that is ready to be sent."""
        self._ready[key] = self._timekeeper.time()

    def start(self) -> None:
        """Starts the time of every queued ask, which is now sent."""
        if not self._ready:
            return
        now = self._timekeeper.time()
        if not self._running:
            self._begin(now)
        for key, since in self._ready.items():
            self._accounts[key[0]].queue_ms += max(0.0, now - since) * 1000
            self._running[key] = None
        self._ready.clear()
        self._set_timer()

    def charge(self, answered: Mapping[Key, int]) -> None:
        """Charges the asks answered in one message, given the thinking times in microseconds that the bot reports."""
        if not answered:
            return
        spent_ms = self._lap() / len(answered)
        for key, said_us in answered.items():
            del self._running[key]
            account = self._accounts[key[0]]
            account.charge(spent_ms, self._limits.decision_ms)
            account.bot_ms += min(said_us / 1000, spent_ms)
        self._set_timer()

    def withdraw(self, table: int) -> None:
        """Drops the asks of this table. If no ask is left, the time since the last lap still counts for the match."""
        for key in [key for key in self._ready if key[0] == table]:
            del self._ready[key]
        for key in [key for key in self._running if key[0] == table]:
            del self._running[key]
            if not self._running:
                account = self._accounts[table]
                account.match_ms = max(0.0, account.match_ms - self._lap())

    def stop(self) -> None:
        """Drops every ask and cancels the timer."""
        self._ready.clear()
        self._running.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self, now: float) -> None:
        self._since = now
        self._starved_before = self._timekeeper.starved_seconds()

    def _lap(self) -> float:
        """Returns the milliseconds since the last lap, and starts a new one."""
        now = self._timekeeper.time()
        spent_ms = max(0.0, now - self._since) * 1000
        self._begin(now)
        return spent_ms

    def _oldest(self) -> tuple[Key, Account]:
        key = next(iter(self._running))
        return key, self._accounts[key[0]]

    def _deadline(self) -> float:
        """Returns when the oldest ask becomes late: its time plus its table's reserve time, from the last lap."""
        _, account = self._oldest()
        return self._since + account.allowed_ms(self._limits.decision_ms) / 1000

    def _set_timer(self) -> None:
        """Keeps one timer per bot. It may fire early and then checks again, which is cheaper than resetting it."""
        if not self._running:
            return
        deadline = self._deadline()
        if self._timer is not None:
            if self._timer_at <= deadline:
                return
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._timekeeper.call_at(deadline, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._running and self._timekeeper.time() >= self._deadline():
            self._run_out()
        self._set_timer()

    def _run_out(self) -> None:
        key, account = self._oldest()
        allowed_ms = account.allowed_ms(self._limits.decision_ms)
        stalled = allowed_ms == account.match_ms
        starved_ms = (self._timekeeper.starved_seconds() - self._starved_before) * 1000
        del self._running[key]
        account.charge(self._lap(), self._limits.decision_ms)
        if starved_ms > STARVED_SHARE * allowed_ms:
            self._watcher.overloaded(key, starved_ms, allowed_ms)
        else:
            self._watcher.ran_out(key, Fault.STALLED if stalled else Fault.LATE, allowed_ms)
