"""A room for the bot under test: a real process over real gRPC, between guests that play at random."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from bourre import Bot, Card, Suit, View
from bourre.bot_tables import Tables
from bourre.messages import Hello
from bourre.rules.actions import Choice, Fault, Missing, Play, Recall
from bourre_referee.evaluation.check.transcript import Exchange, RecordedConnection, Stray
from bourre_referee.evaluation.check.trial_matches import CORRECTION, TESTED
from bourre_referee.model.spec import Clock, MatchOutcome, RoomFailed, RoomSpec, SeatTiming
from bourre_referee.server.bot_clock import Timekeeper
from bourre_referee.server.connection import Connection, Listener
from bourre_referee.server.room import Room
from bourre_referee.server.table import Table


class Guest(Bot):
    """Tosses dice for everything, so that the bot under test sees all sorts of hands; the same in every repetition."""

    def declare(self, view: View) -> bool:
        """In more often than not."""
        return view.rng.random() < 0.6

    def draw(self, view: View) -> Iterable[Card]:
        """Any number of any cards."""
        return view.rng.sample(view.hand, view.rng.randint(0, min(view.max_discards, len(view.hand))))

    def take_turned(self, view: View) -> bool:
        """Now and then."""
        return view.rng.random() < 0.5

    def name_trump(self, view: View) -> Suit:
        """Any suit."""
        return view.rng.choice(list(Suit))

    def stay(self, view: View) -> bool:
        """More often than not."""
        return view.rng.random() < 0.7

    def play(self, view: View) -> Card:
        """Any legal card."""
        return view.rng.choice(view.legal)


async def attend(line: Connection) -> None:
    """Plays on this line until its goodbye."""
    tables = Tables(Guest)
    line.admit(Hello(token="", client="guest"))
    while True:
        bundle = await line.outgoing()
        with line.sending():
            await asyncio.sleep(0)  # nobody else is kept waiting while guests are among themselves
        tables.follow(bundle)
        if bundle.goodbye:
            return
        answers = [answer for ask in bundle.asks for answer in await tables.answers(ask)]
        if answers:
            line.receive(answers)


MOST_LATE = 5
"""So often late, and the bot is asked no more: a check has an end."""

Advance = Callable[[int], None]
"""Hears how many matches are over."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a room has left."""

    outcomes: tuple[MatchOutcome, ...]
    """In the order of the matches."""
    exchanges: tuple[Exchange, ...]
    """In the order of the asks."""
    strays: tuple[Stray, ...]
    hello: Hello | None
    """None: the bot has never come."""
    hello_seconds: float
    """From the launch to the hello, or to the end of waiting for it."""
    turned_away: str
    """Why its hello was refused."""
    gone: Fault | None
    """Why the bot was asked no more before the end."""
    chatter: bool
    """Whether that was because it said far more than it was asked."""
    exit_status: int | None
    """How it ended after the goodbye; None: it did not."""
    memory_kib: tuple[int, ...]
    """At the end of each match."""
    printed: bytes
    """What it printed, as far as it was kept; with notes of the referee."""


async def play(spec: RoomSpec, advance: Advance) -> Played:
    """Plays the room; raises RoomFailed where the host fails."""
    room = _CheckRoom(spec, advance)
    try:
        async with room.run_bots():
            await room.assemble()
            outcomes = await room.play() if room.is_bot_there else []
            exit_status = await room.exit_status()
    except OSError as error:
        raise RoomFailed(str(error)) from error
    return room.played(outcomes, exit_status, spec.logs / TESTED / f"{spec.room}.log")


class _CheckRoom(Room):
    """Listens on the bot's line, plays the guests, and now and then misplays a card for the bot."""

    def __init__(self, spec: RoomSpec, advance: Advance) -> None:
        self._began = self._greeted = perf_counter()
        self._advance = advance
        self._late = 0
        self._chatter = False
        self._memory: list[int] = []
        self._guests: list[asyncio.Task[None]] = []
        super().__init__(spec, self._seat_guest, self._make_line)

    def _make_line(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> Connection:
        if bot != TESTED:
            patient = replace(limits, decision_ms=limits.match_ms)
            return Connection(bot, room, patient, listener, timekeeper)
        self._heard = RecordedConnection(bot, room, limits, listener, timekeeper)
        return self._heard

    def _seat_guest(self, bot: str, address: str, token: str) -> None:
        """In place of an invitation."""
        self._guests.append(asyncio.create_task(attend(self._bots.lines[bot])))

    async def assemble(self) -> None:
        """Waits for the bot's hello."""
        self._began = perf_counter()
        await super().assemble()
        self._greeted = perf_counter()

    @property
    def is_bot_there(self) -> bool:
        """Whether it has said hello."""
        return TESTED not in self._bots.absent

    async def play(self) -> list[MatchOutcome]:
        """Plays all the matches; a guest that breaks is a mistake of ours, and is raised."""
        outcomes = await super().play()
        await asyncio.gather(*self._guests)
        return outcomes

    async def exit_status(self) -> int | None:
        """How the bot has ended after the goodbye."""
        return await self._bots.exit_status(TESTED)

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The awaited answer of a bot (see Listener)."""
        if bot == TESTED:
            action = self._misplayed(table, action)
            self._late += action == Missing(Fault.LATE)
        super().answered(bot, table, action, recall)
        if self._late >= MOST_LATE and TESTED not in self._bots.gone:
            self._bots.lines[TESTED].close()
            self._go_on_without(TESTED, self._bots.give_up(TESTED, Fault.LATE))

    def cut_off(self, bot: str) -> None:
        """A bot that says far more than it is asked (see Listener)."""
        self._chatter = True
        super().cut_off(bot)

    def played(self, outcomes: list[MatchOutcome], exit_status: int | None, log: Path) -> Played:
        """What is left when all is over."""
        line = self._heard
        absent = Fault.START_FAILURE if TESTED in self._bots.absent else None
        return Played(
            outcomes=tuple(outcomes),
            exchanges=tuple(line.exchanges.values()),
            strays=tuple(line.strays),
            hello=line.hello,
            hello_seconds=self._greeted - self._began,
            turned_away=line.turned_away,
            gone=self._bots.gone.get(TESTED, absent),
            chatter=self._chatter,
            exit_status=exit_status,
            memory_kib=tuple(self._memory),
            printed=log.read_bytes() if log.exists() else b"",
        )

    def _misplayed(self, table: int, action: Choice | Missing) -> Choice | Missing:
        """In one match an illegal card takes the place of the bot's legal one, so that it is asked to correct it."""
        if self._tables[table].spec.match != CORRECTION or not isinstance(action, Play):
            return action
        asked = (exchange.ask for exchange in reversed(self._heard.exchanges.values()))
        view = next(ask.view for ask in asked if ask.table == table)
        illegal = [card for card in view.hand if card not in view.legal]
        if view.correcting or action.card not in view.legal or not illegal:
            return action
        return Play(illegal[0])

    def _end_match(self, table: Table, seat: int) -> SeatTiming:
        timing = super()._end_match(table, seat)
        if table.spec.line_up[seat] == TESTED:
            self._memory.append(self._bots.memory_kib(TESTED))
            self._advance(len(self._memory))
        return timing
