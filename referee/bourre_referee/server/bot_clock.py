"""One bot's clock: which asks are ready, which are sent and open, whose time runs, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, KeysView, Mapping
from dataclasses import dataclass
from typing import Protocol

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Clock, SeatTiming

Key = tuple[int, int]
"""An ask: its table and its id."""

STARVED_SHARE = 0.25
"""Of the time that a late bot had: where the host was starved for more of it, nobody is blamed."""


class Timekeeper(Protocol):
    """Tells the time in seconds and wakes; where the host is starved, its time stands still (see `host_time`)."""

    def time(self) -> float:
        """The time now."""

    def starved(self) -> float:
        """For how long the host was starved, since the beginning."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Calls back once at this time, or somewhat before."""


class Watcher(Protocol):
    """Hears how an ask ended that was not answered in time."""

    def ran_out(self, key: Key, fault: Fault) -> None:
        """The time for this ask is over: LATE, or STALLED where the time for the whole match is."""

    def overloaded(self, key: Key, starved_ms: float, allowed_ms: float) -> None:
        """Likewise; but the host was starved for so much of it that nobody can say whose fault that is."""


@dataclass(slots=True)
class Account:
    """What a bot has left of its time at one table, and how it used the rest; in milliseconds."""

    bank_ms: float
    match_ms: float
    decisions: int = 0
    total_ms: float = 0.0
    longest_ms: float = 0.0
    queue_ms: float = 0.0
    bot_ms: float = 0.0

    def allowed_ms(self, decision_ms: float) -> float:
        """For the next decision."""
        return min(decision_ms + self.bank_ms, self.match_ms)

    def charge(self, spent_ms: float, decision_ms: float) -> None:
        """Takes the time of one decision."""
        if spent_ms > decision_ms:
            self.bank_ms = max(0.0, self.bank_ms - (spent_ms - decision_ms))
        self.match_ms = max(0.0, self.match_ms - spent_ms)
        self.decisions += 1
        self.total_ms += spent_ms
        if spent_ms > self.longest_ms:
            self.longest_ms = spent_ms

    def timing(self) -> SeatTiming:
        """How the time was used."""
        return SeatTiming(self.decisions, self.total_ms, self.longest_ms, self.queue_ms, self.bot_ms)


class BotClock:
    """Runs from the moment when an ask is sent, or from the answer before it; n answers at once took t / n each."""

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
        """The asks that are sent and open, now and after whatever follows."""
        return self._running.keys()

    def open(self, table: int) -> None:
        """Fills the bot's bank for a match."""
        self._accounts[table] = Account(self._limits.bank_ms, self._limits.match_ms)

    def left(self, table: int) -> Account:
        """What is left for this match."""
        return self._accounts[table]

    def close(self, table: int) -> SeatTiming:
        """The match is over: how the bot used its time there."""
        self.withdraw(table)
        return self._accounts.pop(table).timing()

    def queue(self, key: Key) -> None:
        """An ask is ready to be sent."""
        self._ready[key] = self._timekeeper.time()

    def start(self) -> None:
        """All that was ready is sent: its time runs."""
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
        """Open asks were answered, in one message; by each, the microseconds that the bot says it thought."""
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
        """No answer is awaited at this table any more; if there was no other, the bot has had the time all the same."""
        for key in [key for key in self._ready if key[0] == table]:
            del self._ready[key]
        for key in [key for key in self._running if key[0] == table]:
            del self._running[key]
            if not self._running:
                account = self._accounts[table]
                account.match_ms = max(0.0, account.match_ms - self._lap())

    def stop(self) -> None:
        """Nothing is awaited any more."""
        self._ready.clear()
        self._running.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self, now: float) -> None:
        self._since = now
        self._starved_before = self._timekeeper.starved()

    def _lap(self) -> float:
        """The milliseconds since the last lap; a new one begins."""
        now = self._timekeeper.time()
        spent_ms = max(0.0, now - self._since) * 1000
        self._begin(now)
        return spent_ms

    def _oldest(self) -> tuple[Key, Account]:
        key = next(iter(self._running))
        return key, self._accounts[key[0]]

    def _deadline(self) -> float:
        """When the oldest ask will be late: its time, then its table's bank, from the last sign of life."""
        _, account = self._oldest()
        return self._since + account.allowed_ms(self._limits.decision_ms) / 1000

    def _set_timer(self) -> None:
        """One timer for the bot: it is set too early rather than anew at each ask, and looks again when it fires."""
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
        starved_ms = (self._timekeeper.starved() - self._starved_before) * 1000
        del self._running[key]
        account.charge(self._lap(), self._limits.decision_ms)
        account.bank_ms = 0.0
        if starved_ms > STARVED_SHARE * allowed_ms:
            self._watcher.overloaded(key, starved_ms, allowed_ms)
        else:
            self._watcher.ran_out(key, Fault.STALLED if stalled else Fault.LATE)
