"""A bot's connection with fakes around it: a clock that the test advances, and a listener that takes notes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bourre.messages import Answer, Ask, Hello, Seating
from bourre.rules.actions import Choice, Declare, Fault, Missing, Recall
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_referee.model.spec import Clock
from bourre_referee.server.connection import Connection

HOUSE = HouseRules()
CLOCK = Clock(decision_ms=1000, bank_ms=5000)
PASS = Declare(False)
LATE = Missing(Fault.LATE)


class ManualClock:
    """Time that passes only when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0
        self.starved_for = 0.0
        self.handles: list[asyncio.TimerHandle] = []
        self._loop = asyncio.new_event_loop()
        self._loop.close()

    def time(self) -> float:
        return self.now

    def starved_seconds(self) -> float:
        return self.starved_for

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, (), self._loop)
        self.handles.append(handle)
        return handle

    def advance(self, seconds: float) -> None:
        """Lets this time pass; every timer fires at its moment."""
        until = self.now + seconds
        while due := [handle for handle in self.handles if not handle.cancelled() and handle.when() <= until]:
            first = min(due, key=lambda handle: handle.when())
            self.handles.remove(first)
            self.now = max(self.now, first.when())
            first._run()
        self.now = until


class Heard:
    """What a connection passed on."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Choice | Missing]] = []
        self.remarks: list[tuple[int, Answer]] = []
        """What came with answers, and how many answers had been passed on by then."""
        self.strays: list[Answer] = []
        self.recalls: list[Recall | None] = []
        self.losses = 0
        self.cuts = 0
        self.late_asks: list[tuple[int, float]] = []
        """The ids of the asks that were not answered in time, and the milliseconds that they were allowed."""
        self.stalls: list[int] = []
        self.overloads: list[tuple[float, float]] = []
        self.failures: list[Exception] = []

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        assert bot == "tight"
        self.answers.append((table, action))
        self.recalls.append(recall)

    def remarked(self, bot: str, answer: Answer) -> None:
        assert bot == "tight"
        self.remarks.append((len(self.answers), answer))

    def unasked(self, bot: str, answer: Answer) -> None:
        assert bot == "tight"
        self.strays.append(answer)

    def lost(self, bot: str) -> None:
        assert bot == "tight"
        self.losses += 1

    def cut_off(self, bot: str) -> None:
        assert bot == "tight"
        self.cuts += 1

    def failed(self, error: Exception) -> None:
        self.failures.append(error)

    def late(self, bot: str, ask: Ask, allowed_ms: float) -> None:
        assert bot == "tight"
        self.late_asks.append((ask.id, allowed_ms))

    def stalled(self, bot: str, table: int) -> None:
        assert bot == "tight"
        self.stalls.append(table)

    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        assert bot == "tight"
        self.overloads.append((starved_ms, allowed_ms))


class Desk:
    """A connection with its fakes."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self.time = ManualClock()
        self.heard = Heard()
        self.line = Connection("tight", "m0001", clock, self.heard, self.time)
        self.line.admit(Hello("token"))
        match = Match(2, 1, HOUSE, SeededChance(bytes(32)))
        match.start()
        self.view = match.view(match.to_act)

    def seat(self, *tables: int) -> None:
        for table in tables:
            self.line.seat(Seating(table, "m0001", 0, 2, 1, HOUSE))

    def ask(self, table: int, number: int = 1) -> None:
        """Asks a question, which the wire takes at once."""
        self.make_ready(table, number)
        self.send()

    def make_ready(self, table: int, number: int = 1) -> None:
        self.line.ask(Ask(table, number, self.view, self.bank_ms(table)))

    def send(self) -> None:
        with self.line.sending():
            pass

    def answer(self, *keys: tuple[int, int], spent_us: int = 0) -> None:
        self.line.receive([Answer(table, number, PASS, spent_us=spent_us) for table, number in keys])

    def bank_ms(self, table: int) -> int:
        return int(self.line.left(table).bank_ms)

    def act(self, script: str) -> str:
        """Plays a script of seconds that pass and of asks and answers by table and id, as `ask 0:1`; what was heard."""
        for act in script.split(", "):
            word, *keys = act.split()
            asks = [(int(table), int(number)) for table, _, number in (key.partition(":") for key in keys)]
            if not asks:
                self.time.advance(float(word))
            elif word == "answer":
                self.answer(*asks)
            else:
                for table, number in asks:
                    self.make_ready(table, number) if word == "ready" else self.ask(table, number)
        answers = [f"{table} {'late' if action == LATE else action}" for table, action in self.heard.answers]
        strays = [f"stray {stray.table}:{stray.id}" for stray in self.heard.strays]
        return ", ".join([*answers, *strays, *(f"stalled {table}" for table in self.heard.stalls)])


def asked(*tables: int, clock: Clock = CLOCK) -> Desk:
    """One whose bot sits at these tables, and is asked at each."""
    desk = Desk(clock)
    desk.seat(*tables)
    for table in tables:
        desk.ask(table)
    return desk
